"""Results of other measuring tools as runs, with what they lack said in each.

`read_results` finds out whose a file is by its content. A module for each tool turns its files
into `Result`s; `cases.py` makes a run of them.
"""

from stend.foreign.files import TOOLS, read_results

__all__ = ["TOOLS", "read_results"]
