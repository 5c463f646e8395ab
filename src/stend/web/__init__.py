"""The rooms' functions in a browser and over HTTP: pages, a REST API, a server for a team.

    with Store.open() as store:
        server = Server(store, Settings(port=8000))
        print(server.address)
        server.run()                              until `stop` or Ctrl-C

Pages are rendered here; scripts only add to them. Who may do what is decided before any handler
is asked (guard.py).
"""

from stend.web.server import Server
from stend.web.settings import Settings

__all__ = ["Server", "Settings"]
