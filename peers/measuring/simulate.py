"""All simulations, in the order of METHODOLOGY.md; `--short` takes a tenth of the runs."""

import sys
import time

import comparisons
import fleets
import intervals
import rounds
import trends
from table import Table


def main() -> int:
    scale = 10 if "--short" in sys.argv[1:] else 1
    begun = time.monotonic()
    intervals.stationary(1500 // scale, 1e-4)
    intervals.stationary(1500 // scale, 2e-3)
    intervals.moving(100 // scale)
    comparisons.pairs_of(5000 // scale)
    comparisons.runs_of(4000 // scale)
    comparisons.suites_of(400 // scale)
    fleets.false_alarms(2000 // scale)
    fleets.power(400 // scale)
    fleets.as_a_whole(400 // scale)
    fleets.links(400 // scale)
    trends.false_alarms(1000 // scale)
    trends.changes(300 // scale)
    trends.coverage(300 // scale)
    rounds.table(200 // scale)
    rounds.acceptance(400 // scale)
    print(f"\n{Table.missed} targets missed (in bold). {time.monotonic() - begun:.0f} s.")
    return 1 if Table.missed else 0


if __name__ == "__main__":
    sys.exit(main())
