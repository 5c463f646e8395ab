"""What a storage case answers and reports: its questions, its metric, what else is compared."""

from stend.record import Metric

QUESTIONS = {
    "read": "How many blocks a second can be read one after another?",
    "write": "How many blocks a second can be written one after another?",
    "randread": "How many blocks a second can be read anywhere?",
    "randwrite": "How many blocks a second can be written anywhere?",
    "rw": "How many blocks a second can be read and written one after another?",
    "randrw": "How many blocks a second can be read and written anywhere?",
}
"""By fio's rw."""

METRIC = Metric(name="IOPS", unit="IOPS", better="higher")

PERCENTS = {"p50 s": 50.0, "p99 s": 99.0, "p99.9 s": 99.9, "p99.99 s": 99.99}

FURTHER = {
    "bandwidth B/s": Metric(name="bandwidth", unit="B/s", better="higher"),
    "latency s": Metric(name="mean latency", unit="s", better="lower"),
    **{
        name: Metric(name=f"{name.removesuffix(' s')} latency", unit="s", better="lower")
        for name in PERCENTS
    },
    "cpu share": Metric(name="CPU", unit="share", better="lower"),
}
"""What a sample's `also` can hold beside IOPS. All latencies are from submission to completion
where fio kept that histogram (lat_percentiles=1), else percentiles are from its end (clat)."""
