"""Several machines at once: a stored run a node, then one of the pairs of nodes.

`hosts` says which machines, `shell` how a program is started on one, `node` is that program and
`messages` what it is told and tells. `fleet` talks with all of them and keeps what they tell,
`pairs` plans who sends messages to whom.
"""

from stend.fleet.connection import Request
from stend.fleet.hosts import Hosts, find_hosts
from stend.fleet.nodes import Fleet, Member, environment
from stend.fleet.pairs import pairs_of, planned_pairs, wants_pairs
from stend.processes.remote_shell import for_launchers, shell_for

__all__ = [
    "Fleet",
    "Hosts",
    "Member",
    "Request",
    "environment",
    "find_hosts",
    "for_launchers",
    "pairs_of",
    "planned_pairs",
    "shell_for",
    "wants_pairs",
]
