"""Threads: the cost of their creation and synchronisation, under load and with affinity.

After Golenkov et al. 2015. One file a subject; `conditions.py` holds what they share.
"""

from stend.benchmarks.families.threads import barrier, contention, life, mutex, relay, wake

__all__ = ["barrier", "contention", "life", "mutex", "relay", "wake"]
