"""Pushes runs of this machine's store to a team's server; nothing is lost or stored twice.

    with Sender(server_of("https://perf.example.org", token), Patience()) as sender:
        known = sender.known(ids)
        outcome = sender.send(run)

What a broken connection leaves is gone on with, by the same call or by a later one.
"""

from stend.web.push.connection import Patience, Server, server_of
from stend.web.push.sender import Outcome, Sender

__all__ = ["Outcome", "Patience", "Sender", "Server", "server_of"]
