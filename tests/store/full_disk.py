"""Stores on a disk of 3 MiB until it is full: `full_disk.py FOLDER` in its own mount namespace.

Prints what happened as JSON; test_no_space.py judges it.
"""

import json
import random
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

from made import case, run, sample
from stend.errors import NoSpace, OutputError
from stend.record import CaseRecord, Integers
from stend.record.run_file import write_run_file
from stend.store import Store

folder = Path(sys.argv[1])
subprocess.run(["mount", "-t", "tmpfs", "-o", "size=3M", "tmpfs", str(folder)], check=True)
(folder / "others").write_bytes(bytes(1 << 20))
url = str(folder / "stend.db")
chance = random.Random(1)
said = {}


def large() -> CaseRecord:
    ticks = Integers(chance.randrange(2**62) for _ in range(4000))
    return case((sample([1e-3] * 4000, ticks=ticks),))


store = Store.open(url)
store.begin(run(()))
appended = 0
try:
    while appended < 1000:
        store.append(run().id, large())
        appended += 1
except NoSpace as error:
    said["append"] = str(error)

with suppress(OSError), (folder / "filler").open("wb", buffering=0) as filler:
    while filler.write(b"x" * 512):
        pass

try:
    write_run_file(store.load("last"), folder / "run.json")
except OutputError as error:
    said["run file"] = str(error)
try:
    store.back_up(folder / "backup.db")
except OutputError as error:
    said["backup"] = str(error)
try:
    Store.open(str(folder / "new.db"))
except NoSpace as error:
    said["new store"] = str(error)

readable = len(store.load("last").cases)
store.close()
with Store.open(url) as again:
    readable_again = len(again.load("last").cases)
(folder / "others").unlink()
with Store.open(url) as after:
    after.append(run().id, case())
    appended_after = len(after.load("last").cases) - appended

happened = {
    "said": said,
    "appended": appended,
    "readable": readable,
    "readable_again": readable_again,
    "appended_after": appended_after,
    "files": sorted(path.name for path in folder.iterdir()),
}
print(json.dumps(happened))
