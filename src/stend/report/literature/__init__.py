"""The literature's figures: as tables of their own, as runs, and with a machine's row in them."""

from stend.report.literature.run_lines import Line, Printed, Summary, printed, summary
from stend.report.literature.subjects import SUBJECTS, SubjectTables, listing, with_published
from stend.report.literature.table import Row, Subject, Table

__all__ = [
    "SUBJECTS",
    "Line",
    "Printed",
    "Row",
    "Subject",
    "SubjectTables",
    "Summary",
    "Table",
    "listing",
    "printed",
    "summary",
    "with_published",
]
