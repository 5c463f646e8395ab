"""Another process that appends cases: `appender.py URL RUN_ID NAME COUNT` says each one stored."""

import sys

from made import case, sample
from stend.store import Store

url, run_id, name, count = sys.argv[1:]
with Store.open(url) as store:
    for n in range(int(count)):
        several = tuple(sample([1e-3] * 500, process=i) for i in range(3))
        store.append(run_id, case(several, parameters={"by": name, "n": n}))
        print(n, flush=True)
