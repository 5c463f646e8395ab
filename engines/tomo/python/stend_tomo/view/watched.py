"""The file that is shown, so that the page can tell when it is another one, or gone."""

from pathlib import Path

from stend_tomo.text import printable


class Watched:
    """A file or folder as it was when it was opened."""

    def __init__(self, path: Path) -> None:
        self._path, self._name = path.absolute(), printable(path.name)
        self._then = self._now()

    def fault(self) -> str | None:
        """Say what happened to it; None while it is the same.

        Of a folder's images only coming and going is seen.
        """
        now = self._now()
        if now == self._then:
            return None
        what = "was removed" if now is None else "has changed"
        return f"{self._name} {what} since it was opened: end stend-tomo view and start it again."

    def said(self, text: str) -> str:
        """Tell what went wrong with it: it was opened by the path that people know."""
        return text

    def _now(self) -> tuple[int, int, int] | None:
        try:
            told = self._path.stat()
        except OSError:
            return None
        return told.st_ino, told.st_mtime_ns, 0 if self._path.is_dir() else told.st_size
