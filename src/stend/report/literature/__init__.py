"""The literature's figures: as tables of their own, as runs, and with a machine's row in them."""

from stend.report.literature.family_tables import FAMILIES, listing
from stend.report.literature.run_lines import Line, Printed, Summary, printed, summary
from stend.report.literature.run_tables import Family, beside
from stend.report.literature.table import Row, Table

__all__ = [
    "FAMILIES",
    "Family",
    "Line",
    "Printed",
    "Row",
    "Summary",
    "Table",
    "beside",
    "listing",
    "printed",
    "summary",
]
