"""Ports of this machine for servers that are given a number and can't tell the one they took."""

import socket

_RESERVED: list[socket.socket] = []


def free_port() -> int:
    """A port of 127.0.0.1 that nothing else gets until this process ends.

    It stays bound without listening: connections are refused, and a server that sets SO_REUSEADDR
    may listen there, and again after it was killed. A port that were only looked up could be
    another test's by then.
    """
    bound = socket.socket()
    bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    bound.bind(("127.0.0.1", 0))
    _RESERVED.append(bound)
    return int(bound.getsockname()[1])
