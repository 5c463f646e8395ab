"""Pure functions from arrays of numbers to estimates, intervals and findings.

Each names its source. They take anything numpy can read as numbers, leave out what is not
finite, and answer None, or a result with its reason, where the data can't say: they never
raise for what was measured. Only numpy and scipy.special are used, so that the import is cheap.
"""

from stend.statistics.ratios import Ratio, holm, paired, unpaired

__all__ = ["Ratio", "holm", "paired", "unpaired"]
