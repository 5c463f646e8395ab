"""Virtual or not, in a container or not: what each kind of machine leaves in its files."""

import pytest

from machine.made_trees import made
from stend.machine.system import container, virtualisation
from stend.machine.tree import Unreadable

PHYSICAL = {"/proc/cpuinfo": "processor : 0\nflags : fpu sse2\n"}
GUEST = {"/proc/cpuinfo": "processor : 0\nflags : fpu sse2 hypervisor\n"}
CLOCKS = "/sys/devices/system/clocksource/clocksource0/available_clocksource"


@pytest.mark.parametrize(
    ("files", "name"),
    [
        (PHYSICAL, "none"),
        (PHYSICAL | {"/sys/class/dmi/id/sys_vendor": "Dell Inc.\n"}, "none"),
        ({"/sys/class/dmi/id/sys_vendor": "Huawei\n"}, "none"),
        (GUEST, "unnamed hypervisor"),
        (GUEST | {CLOCKS: "tsc kvm-clock acpi_pm \n"}, "KVM"),
        (GUEST | {CLOCKS: "hyperv_clocksource_tsc_page tsc\n"}, "Hyper-V"),
        (GUEST | {"/sys/class/dmi/id/sys_vendor": "VMware, Inc.\n"}, "VMware"),
        (GUEST | {"/sys/class/dmi/id/product_name": "VirtualBox\n"}, "VirtualBox"),
        (GUEST | {"/sys/class/dmi/id/sys_vendor": "Amazon EC2\n"}, "Amazon EC2"),
        (GUEST | {"/sys/class/dmi/id/sys_vendor": "QEMU\n"}, "QEMU"),
        (GUEST | {"/sys/hypervisor/type": "xen\n"}, "Xen"),
        ({"/proc/device-tree/hypervisor/compatible": "linux,kvm\0"}, "KVM"),
        ({"/proc/sysinfo": "Type: 2964\nVM00 Control Program: z/VM    6.4.0\n"}, "z/VM 6.4.0"),
    ],
)
def test_hypervisors_are_known_by_what_they_leave(files, name, tmp_path):
    assert virtualisation(made(tmp_path, files)) == name


def test_a_machine_that_tells_nothing_is_not_called_physical(tmp_path):
    with pytest.raises(Unreadable):
        virtualisation(made(tmp_path, {"/proc/cpuinfo": "processor : 0\nCPU part : 0xd0c\n"}))


@pytest.mark.parametrize(
    ("files", "name"),
    [
        ({"/proc/self/cgroup": "0::/user.slice\n"}, "none"),
        ({"/proc/self/cgroup": "0::/\n", "/run/systemd/container": "lxc\n"}, "lxc"),
        ({"/proc/self/cgroup": "4:memory:/docker/abc\n"}, "docker"),
        ({"/proc/self/cgroup": "0::/kubepods/besteffort/pod1\n"}, "kubernetes"),
        ({"/proc/self/cgroup": "0::/machine.slice/libpod-1.scope\n"}, "podman"),
        ({"/.dockerenv": ""}, "docker"),
        ({"/run/.containerenv": ""}, "podman"),
    ],
)
def test_containers_are_known_by_what_they_leave(files, name, tmp_path):
    assert container(made(tmp_path, files)) == name
