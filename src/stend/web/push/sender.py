"""Sending runs to a server, however often the connection breaks."""

import gzip
import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Any, Literal, Self

from stend.errors import ServerError
from stend.record import Record, Run
from stend.record.run_file import to_run_file
from stend.web.push.connection import Answer, Connection, Patience, Server, Unreachable

PART = 1 << 20
"""Bytes that are sent at once: so many can a connection that breaks lose."""
AT_ONCE = 1000
"""Ids of runs that are asked for together."""
_LEVEL = 3
"""Of gzip: a run file of 11 MB takes 0.2 s; at 6 it takes 0.6 s and is 4% smaller."""

_LATER = {429, 502, 503, 504}
"""What a server, or a proxy before it, says that has no time now."""
_OF_THE_RUN = {409, 413, 422}
"""What says something of a run, and nothing of the others."""
_AFRESH = 5
"""Times that an upload is begun which the server then doesn't know as it was: it forgets one after
hours, and loses some when its store is put back to what it was before."""
_NO_MORE = 404
"""What is said of an upload that was finished or forgotten."""


class Outcome(Record, frozen=True, kw_only=True):
    """What became of a run."""

    run: str
    """Its id."""
    what: Literal["sent", "was there already", "refused"]
    said: str = ""
    """Why it was refused."""
    bytes: int = 0
    """That were to be sent of it, packed."""


def _nobody(*_: Any) -> None:
    """Is told nothing."""


@dataclass
class Sender:
    """One server, which is asked again when it does not answer."""

    server: Server
    patience: Patience
    reached: Callable[[int, int], None] = _nobody
    """Told how many bytes of the run under way are there, of how many."""
    waits: Callable[[str], None] = _nobody
    """Told in a few words what is waited for."""

    def __post_init__(self) -> None:
        self._connection = Connection(self.server)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._connection.close()

    def known(self, ids: Sequence[str]) -> set[str]:
        """Those of these runs that are there.

        Raises:
            ServerError: the server refuses, or can't be reached.
        """
        found: set[str] = set()
        for first in range(0, len(ids), AT_ONCE):
            answer = self._ask_json("/runs/known", {"runs": list(ids[first : first + AT_ONCE])})
            if not isinstance(answer.said.get("runs"), list):
                raise ServerError(
                    f"{self.server.name} has no stend server of this version at that address; it "
                    f"answers with status {answer.status}."
                )
            found.update(answer.said["runs"])
        return found

    def send(self, run: Run) -> Outcome:
        """Send a run; one that is there already changes nothing.

        Raises:
            ServerError: the server refuses whatever is sent, or can't be reached.
            RunFileError: the run is not sound.
        """
        content = gzip.compress(to_run_file(run), _LEVEL, mtime=0)
        self.reached(0, len(content))
        if len(content) <= PART:
            answer = self._ask("PUT", f"/runs/{run.id}", content)
        else:
            answer = self._send_in_parts(run.id, content)
        if answer.status in _OF_THE_RUN:
            return Outcome(run=run.id, what="refused", said=answer.sentence, bytes=len(content))
        if "new" not in answer.said:
            raise self._refusal(answer)
        self.reached(len(content), len(content))
        what: Literal["sent", "was there already"]
        what = "sent" if answer.said["new"] else "was there already"
        return Outcome(run=run.id, what=what, bytes=len(content))

    def _send_in_parts(self, run_id: str, content: bytes) -> Answer:
        """Begin or go on, until the server says what became of the run.

        Raises:
            ServerError: what was begun there is not known there, however often.
        """
        wanted = {"digest": sha256(content).hexdigest(), "bytes": len(content)}
        for _ in range(_AFRESH):
            begun = self._ask_json("/uploads", wanted)
            if "id" not in begun.said:
                return begun
            answer = self._send_rest(begun.said["id"], begun.said["received"], content)
            if answer is not None:
                return answer
            if run_id in self.known([run_id]):  # it was finished, and the answer was lost
                return Answer(200, {"new": True}, 0)
            self._wait("the upload was forgotten", 0)
        raise ServerError(
            f"{self.server.name} forgot {_AFRESH} times what was sent to it of the run "
            f"{run_id[:8]}. Are there several servers at that address, each with its own store?"
        )

    def _send_rest(self, upload: str, received: int, content: bytes) -> Answer | None:
        """What the server says of the run; None where it doesn't know the upload as it was."""
        while received < len(content):
            self.reached(received, len(content))
            part = content[received : received + PART]
            answer = self._ask("PATCH", f"/uploads/{upload}?first={received}", part)
            if "received" not in answer.said:
                return None if answer.status in (_NO_MORE, 409) else answer
            received = answer.said["received"]
        answer = self._ask_json(f"/uploads/{upload}/finish", {})
        return None if answer.status == _NO_MORE else answer

    def _ask_json(self, path: str, body: Any) -> Answer:
        return self._ask("POST", path, json.dumps(body).encode(), "application/json")

    def _ask(
        self, method: str, path: str, body: bytes, kind: str = "application/octet-stream"
    ) -> Answer:
        """The server's answer, when it has one.

        Raises:
            ServerError: it has none for too long, or refuses whatever is sent.
        """
        while True:
            try:
                answer = self._connection.ask(method, path, body, kind)
            except Unreachable as error:
                self._wait(str(error), 0)
                continue
            if answer.status in _LATER:
                self._wait(answer.sentence, answer.retry_after)
                continue
            self.patience.got_through()
            if answer.status >= 300 and answer.status not in {*_OF_THE_RUN, _NO_MORE}:
                raise self._refusal(answer)
            return answer

    def _wait(self, why: str, asked: float) -> None:
        why = why.rstrip(".")
        self.waits(f"{self.server.name}: {why}; trying again")
        if not self.patience.pause(asked):
            raise ServerError(
                f"{self.server.name} could not be used for {self.patience.seconds:.0f} s: {why}. "
                "The server keeps what it acknowledged; the same command continues from there."
            )

    def _refusal(self, answer: Answer) -> ServerError:
        if 300 <= answer.status < 400:
            return ServerError(
                f"{self.server.name} redirects to another address, and the token is not sent "
                "there; give the server's own with --to."
            )
        lacks = answer.status == 401 and not self.server.token
        advice = " Give one in STEND_TOKEN or by --token-file." if lacks else ""
        said = f"{self.server.name} refuses this ({answer.status}): {answer.sentence}{advice}"
        return ServerError(said)
