"""Who gives a command on this machine, for what the store keeps of who did it."""

import os
import pwd

from stend.printable import printable


def whoever() -> str:
    """`maria@bench`; a user whom the machine has no name for is called by number."""
    number = os.getuid()
    try:
        user = pwd.getpwuid(number).pw_name
    except KeyError:
        user = str(number)
    return printable(f"{user}@{os.uname().nodename}")
