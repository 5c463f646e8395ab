"""The machine and its conditions, by /proc, /sys and hwloc, as records.

`inspect()` tells what the machine is, `conditions_now()` what disturbs it, `Watch` what
disturbed it during a run, and `disturbed()` which repetitions that hit.
"""

from stend.machine.conditions import conditions_now
from stend.machine.cpu_time import CpuTime, cpu_time
from stend.machine.disturbances import disturbed
from stend.machine.frequency import CALIBRATION, default_clock
from stend.machine.inspection import available_memory, inspect
from stend.machine.tree import Tree
from stend.machine.watch import Watch

__all__ = [
    "CALIBRATION",
    "CpuTime",
    "Tree",
    "Watch",
    "available_memory",
    "conditions_now",
    "cpu_time",
    "default_clock",
    "disturbed",
    "inspect",
]
