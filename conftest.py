"""What all tests share, those of the engines too: the journal, Hypothesis' examples, signals."""

import gc
import signal

from hypothesis import settings

pytest_plugins = ["journal"]

# The same examples every time: a failure in CI is a failure here.
settings.register_profile("stend", derandomize=True, deadline=None)
settings.load_profile("stend")

# A shell ignores these for what it starts in the background, nohup ignores SIGHUP, and what is
# ignored stays so in every program that a test starts.
signal.signal(signal.SIGINT, signal.default_int_handler)
signal.signal(signal.SIGQUIT, signal.SIG_DFL)
signal.signal(signal.SIGHUP, signal.SIG_DFL)


def pytest_collection_finish() -> None:
    """Exempt collected objects from garbage collection, which took a tenth of all time."""
    gc.collect()
    gc.freeze()
