"""Where the source and the detector of a cone beam are, as it is said on the command line."""

from typing import Annotated

from stend_tomo.cli.arguments import Option

SourceToAxis = Annotated[
    float,
    Option("--source-to-axis", metavar="MM", help="From the source to the axis of rotation."),
]
SourceToDetector = Annotated[
    float,
    Option(
        "--source-to-detector",
        metavar="MM",
        help="From the source to the detector, through the axis.",
    ),
]
Pitch = Annotated[
    float | None,
    Option(
        "--pitch",
        metavar="MM",
        help="A pixel's side on the detector itself. Default: the file's, which some mean as seen "
        "at the sample, as DICOM with distances does; then give it.",
    ),
]
CenterColumn = Annotated[
    float | None,
    Option(
        "--center",
        metavar="COLUMN",
        help="The detector column, from 0 at the first one's middle, of the ray that meets the "
        "axis at a right angle; default: the middle.",
    ),
]
CenterRow = Annotated[
    float | None,
    Option("--center-row", metavar="ROW", help="The row of that ray; default: the middle."),
]
