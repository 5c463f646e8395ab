"""A page in the browser for a scan and its slices, or for a volume: served on loopback only.

    shown = ShownScan(stend_tomo.read("scan.h5"), "scan.h5", Method(center=319.5))
    shown = ShownVolume(stend_tomo.read_volume("slices"), "slices")
    server = Server(shown)                      bound to a free port; `server.address` has a secret
    server.run()                                until `stop` or Ctrl-C

The page asks for one plane at a time, as raw float32, and maps values to grey by itself. Planes
across the slices are taken from an overview of a bounded size (volume_view.py).
"""

from stend_tomo.view.scan_view import Method, ShownScan, opened, sought_axis
from stend_tomo.view.server import Server
from stend_tomo.view.volume_view import ShownVolume

__all__ = ["Method", "Server", "ShownScan", "ShownVolume", "opened", "sought_axis"]
