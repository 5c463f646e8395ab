"""Runs that machines send: a run file whole, or in parts that a broken connection doesn't lose.

In parts it is begun, each part appended, then finished; every step may be repeated.
"""

from collections.abc import Iterable, Iterator
from hashlib import sha256
from typing import Annotated

import msgspec
from msgspec import Meta
from starlette.exceptions import HTTPException
from starlette.responses import Response

from stend.errors import Conflict, RunFileError, Unsound, WrongPlace
from stend.store import Right, Upload
from stend.store.uploads import MOST_AT_ONCE
from stend.web.api.ingest import LARGEST, IngestResult, in_parts, ingest
from stend.web.api.operation import Asked, Operation

MOST_WHOLE = 16 << 20
"""Bytes of a file that is sent in one request: a quick run has 11 MB, and 4 MB packed."""
FORGOTTEN = 6 * 3600
"""Seconds after which an upload of which nothing more came is forgotten."""

Id = Annotated[str, Meta(pattern="^[0-9a-f]{32}$")]


class Ids(msgspec.Struct, forbid_unknown_fields=True):
    """Whole ids of runs."""

    runs: Annotated[list[Id], Meta(max_length=1000)]


class NewUpload(msgspec.Struct, forbid_unknown_fields=True):
    """The file that is to be sent."""

    digest: Annotated[str, Meta(pattern="^[0-9a-f]{64}$")]
    """SHA-256 of the bytes as they are sent, packed or not."""
    bytes: Annotated[int, Meta(ge=1, le=2**53)]


class From(msgspec.Struct):
    """Where a part belongs."""

    first: Annotated[int, Meta(ge=0, le=2**53, description="The place of its first byte.")]


class Received(msgspec.Struct):
    """The progress of an upload."""

    id: str
    received: int
    """So many of the file's first bytes are stored; the next part begins there."""


def _known(asked: Asked) -> Ids:
    return Ids(sorted(asked.site.store.known(asked.body.runs)))


def _put(asked: Asked) -> Response:
    encoding = asked.request.headers.get("content-encoding", "identity").lower()
    if encoding not in ("gzip", "identity"):
        raise HTTPException(415, "A run file is sent as it is, or with content-encoding: gzip.")
    return _answer(_take_in(asked, in_parts(asked.body), asked.path["run"]))


def _begun(asked: Asked) -> Received:
    wanted: NewUpload = asked.body
    if wanted.bytes > LARGEST:
        raise HTTPException(
            413,
            f"The server takes run files of at most {LARGEST:,} bytes; this one has "
            f"{wanted.bytes:,}.",
        )
    uploads = asked.site.store.uploads
    uploads.forget_older(FORGOTTEN)
    return _received(uploads.begin(asked.visitor.name, wanted.digest, wanted.bytes))


def _state(asked: Asked) -> Received:
    return _received(asked.site.store.uploads.state(asked.path["upload"], asked.visitor.name))


def _appended(asked: Asked) -> Received:
    uploads, sender, upload = asked.site.store.uploads, asked.visitor.name, asked.path["upload"]
    part = asked.body.read()
    return Received(upload, uploads.append(upload, sender, asked.query.first, part))


def _finished(asked: Asked) -> Response:
    """What can't be taken now can't be later, so its parts are forgotten too."""
    uploads = asked.site.store.uploads
    upload = uploads.state(asked.path["upload"], asked.visitor.name)
    if not upload.whole:
        raise WrongPlace(
            f"{upload.received:,} of {upload.bytes:,} bytes have arrived; send the others first.",
            upload.received,
        )
    try:
        found = _take_in(asked, _checked(uploads.content(upload.id), upload.digest))
    except (Conflict, HTTPException, RunFileError, Unsound):
        uploads.done(upload.id)
        raise
    uploads.done(upload.id)
    return _answer(found)


def _take_in(asked: Asked, parts: Iterable[bytes], run_id: str | None = None) -> IngestResult:
    by = asked.visitor
    return ingest(asked.site.store, parts, sender=by.name, address=by.address, run_id=run_id)


def _checked(parts: Iterable[bytes], digest: str) -> Iterator[bytes]:
    found = sha256()
    for part in parts:
        found.update(part)
        yield part
    if found.hexdigest() != digest:
        raise RunFileError(
            f"The file arrived with the digest {found.hexdigest()}, but {digest} was announced: "
            "it changed while it was sent. Send it again."
        )


def _answer(found: IngestResult) -> Response:
    status = 201 if found.new else 200
    return Response(msgspec.json.encode(found), status, media_type="application/json")


def _received(upload: Upload) -> Received:
    return Received(upload.id, upload.received)


_OF_FILES = {
    409: "Another run with this id is there, or it was removed and can be put back.",
    413: "It is too large, as it is sent or unpacked.",
    422: "It is not a valid run file, or its run may still be in progress.",
    507: "No space is left on the server.",
}

OPERATIONS = (
    Operation(
        "known_runs", "POST", "/runs/known", "Which of these runs are stored",
        Right.READ, _known, Ids, body=Ids,
    ),
    Operation(
        "put_run", "PUT", "/runs/{run}",
        f"Store a run file that is sent whole\n\nIt has at most {MOST_WHOLE:,} bytes, packed by "
        f"gzip or not, and at most {LARGEST:,} unpacked. Sent again it changes nothing.",
        Right.WRITE, _put, IngestResult, file=MOST_WHOLE, status=201, also=200, heavy=True,
        refusals={**_OF_FILES, 415: "It is encoded in another way than gzip."},
    ),
    Operation(
        "begin_upload", "POST", "/uploads",
        "Begin to send a run file in parts, or go on with it\n\nAsked again for the same digest "
        "it gives the same upload, with what of it is here. One of which nothing came for six "
        "hours is forgotten.",
        Right.WRITE, _begun, Received, body=NewUpload,
        refusals={413: "The file is too large.", 429: "Too many uploads are in progress.",
                  507: "No space is left on the server."},
    ),
    Operation(
        "get_upload", "GET", "/uploads/{upload}", "The progress of an upload",
        Right.WRITE, _state, Received,
    ),
    Operation(
        "append_upload", "PATCH", "/uploads/{upload}",
        f"Send a part\n\nIt has 1 to {MOST_AT_ONCE:,} bytes and follows those that are here. The "
        "answer comes when it is stored.",
        Right.WRITE, _appended, Received, From, file=MOST_AT_ONCE,
        refusals={409: "It doesn't follow the bytes that are here; the sentence says where to "
                "continue.",
                  507: "No space is left on the server."},
    ),
    Operation(
        "finish_upload", "POST", "/uploads/{upload}/finish",
        "Store the run whose file was sent\n\nWhen it answers 200 or 201 the run is stored.",
        Right.WRITE, _finished, IngestResult, status=201, also=200, heavy=True, refusals=_OF_FILES,
    ),
)  # fmt: skip
