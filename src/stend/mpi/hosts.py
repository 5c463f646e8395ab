"""Hosts as one value of a parameter: names joined by "+", as n1+n2; none is this machine."""

from collections.abc import Iterable


def joined(hosts: Iterable[str]) -> str:
    """Names → the value."""
    return "+".join(hosts)


def parted(value: object) -> tuple[str, ...]:
    """The value → names."""
    return tuple(host for host in str(value).split("+") if host)
