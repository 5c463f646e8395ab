"""Several machines at once: a stored run a node, then one of the pairs of nodes.

`hosts` says which machines and who sends messages to whom, `processes.remote_shell` how a program
is started on one, and `node` is that program. `nodes` talks with all of them by `connection` and
keeps what they tell.
"""

from stend.fleet.connection import Request
from stend.fleet.hosts import Hosts, find_hosts, pairs_of, planned_pairs, wants_pairs
from stend.fleet.nodes import Fleet, Member, environment
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
