"""A job file that names claimed targets → one that names their descriptors, and names back again.

What a path leads to can be exchanged after the last check and before fio opens it. A descriptor
that stend holds and fio inherits can't: /dev/fd/N, a link of the kernel's in /proc, leads to what
was opened (proc(5)).
"""

import re
from collections.abc import Mapping

from stend.errors import BadValue
from stend.fio.jobfile import HANDED, escaped


def by_descriptor(job: str, held: Mapping[str, int]) -> str:
    """Name the descriptors that are held of the targets; each job's description has their paths.

    Raises:
        BadValue: the job names what is not held.
    """
    handed = {f"filename={escaped(path)}": f"filename={HANDED}{n}" for path, n in held.items()}
    return "\n".join(_section(section, handed) for section in re.split(r"\n(?=\[)", job))


def _section(section: str, handed: Mapping[str, str]) -> str:
    lines = section.split("\n")
    names = [line for line in lines if line.startswith("filename=")]
    if unknown := [line for line in names if line not in handed]:
        raise BadValue(f"a job has {unknown[0]}, of which no descriptor is held")
    if not names:
        return section
    paths = ":".join(line.removeprefix("filename=") for line in names)
    head, *rest = (handed.get(line, line) for line in lines)
    return "\n".join([head, f"description={paths}", *rest])


def by_path(text: str, held: Mapping[str, int]) -> str:
    """Put the targets' paths where fio names their descriptors."""
    paths = {str(n): path for path, n in held.items()}
    return re.sub(rf"{re.escape(HANDED)}(\d+)", lambda found: paths.get(found[1], found[0]), text)
