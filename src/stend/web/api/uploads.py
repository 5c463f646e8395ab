"""Runs that machines send: a run file whole, or in parts that a broken connection doesn't lose.

In parts it is begun, each part appended, then finished; every step may be repeated.
"""

from collections.abc import AsyncIterator, Iterable, Iterator
from hashlib import sha256
from typing import IO, Annotated

import msgspec
from fastapi import APIRouter, Depends, Path, Query
from pydantic import Field
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from stend.errors import Conflict, RunFileError, Unsound, WrongPlace
from stend.store import Upload
from stend.store.uploads import MOST_AT_ONCE
from stend.web.api.ingest import LARGEST, IngestResult, in_parts, ingest
from stend.web.api.request import BASE, LITERAL, Model, RunId
from stend.web.api.route import READ, WRITE, ApiRoute, in_turn, render
from stend.web.site import site_of, visitor_of

router = APIRouter(prefix=BASE, route_class=ApiRoute)

MOST_WHOLE = 16 << 20
"""Bytes of a file that is sent in one request: a quick run has 11 MB, and 4 MB packed."""
FORGOTTEN = 6 * 3600
"""Seconds after which an upload of which nothing more came is forgotten."""

UploadId = Annotated[
    str, Path(pattern="^[0-9a-f]{32}$", description="The upload's id, as its beginning told it.")
]


class RunIds(Model):
    """Whole ids of runs."""

    runs: Annotated[list[Annotated[str, Field(pattern="^[0-9a-f]{32}$")]], Field(max_length=1000)]


class Ids(msgspec.Struct):
    """Whole ids of runs."""

    runs: list[Annotated[str, msgspec.Meta(pattern="^[0-9a-f]{32}$")]]


class NewUpload(Model):
    """The file that is to be sent."""

    digest: Annotated[str, Field(pattern="^[0-9a-f]{64}$")]
    """SHA-256 of the bytes as they are sent, packed or not."""
    bytes: Annotated[int, Field(ge=1, le=2**53)]


class Place(Model):
    """Where a part belongs."""

    first: Annotated[int, Field(ge=0, le=2**53), LITERAL]
    """The place of its first byte."""


class Received(msgspec.Struct):
    """The progress of an upload."""

    id: str
    received: int
    """So many of the file's first bytes are stored; the next part begins there."""


async def run_file(request: Request, run: RunId) -> AsyncIterator[IO[bytes]]:
    """Receive a run file; the address is checked before."""
    async with site_of(request).spool.body(request, MOST_WHOLE) as file:
        yield file


async def upload_part(
    request: Request, upload: UploadId, query: Annotated[Place, Query()]
) -> AsyncIterator[IO[bytes]]:
    """Receive a part of one; the address is checked before."""
    async with site_of(request).spool.body(request, MOST_AT_ONCE) as file:
        yield file


FILE = {
    "requestBody": {
        "required": True,
        "content": {"application/octet-stream": {"schema": {"type": "string", "format": "binary"}}},
    }
}
"""FastAPI sees no body where a dependency reads it."""
_NO_SPACE = {507: {"description": "No space is left on the server."}}
_OF_FILES = {
    409: {
        "description": "Another run with this id is there, or it was removed and can be put back."
    },
    413: {"description": "It is too large, as it is sent or unpacked."},
    422: {"description": "It is not a valid run file, or its run may still be in progress."},
    **_NO_SPACE,
}


@router.post("/runs/known", dependencies=[READ])
def known_runs(request: Request, body: RunIds) -> Ids:
    """Which of these runs are stored."""
    return Ids(sorted(site_of(request).store.known(body.runs)))


@router.put(
    "/runs/{run}",
    dependencies=[WRITE],
    description=f"It has at most {MOST_WHOLE:,} bytes, packed by gzip or not, and at most "
    f"{LARGEST:,} unpacked. Sent again it changes nothing.",
    response_model=IngestResult,
    status_code=201,
    responses={
        200: {},
        **_OF_FILES,
        415: {"description": "It is encoded in another way than gzip."},
    },
    openapi_extra=FILE,
)
@in_turn
def put_run(
    request: Request, run: RunId, file: Annotated[IO[bytes], Depends(run_file, scope="function")]
) -> Response:
    """Store a run file that is sent whole."""
    encoding = request.headers.get("content-encoding", "identity").lower()
    if encoding not in ("gzip", "identity"):
        raise HTTPException(415, "A run file is sent as it is, or with content-encoding: gzip.")
    return _stored(request, in_parts(file), run)


@router.post(
    "/uploads",
    dependencies=[WRITE],
    responses={
        413: {"description": "The file is too large."},
        429: {"description": "Too many uploads are in progress."},
        **_NO_SPACE,
    },
)
def begin_upload(request: Request, body: NewUpload) -> Received:
    """Begin to send a run file in parts, or go on with it.

    Asked again for the same digest it gives the same upload, with what of it is here. One of which
    nothing came for six hours is forgotten.
    """
    if body.bytes > LARGEST:
        raise HTTPException(
            413,
            f"The server takes run files of at most {LARGEST:,} bytes; this one has "
            f"{body.bytes:,}.",
        )
    uploads = site_of(request).store.uploads
    uploads.forget_older(FORGOTTEN)
    return _received(uploads.begin(visitor_of(request).name, body.digest, body.bytes))


@router.get("/uploads/{upload}", dependencies=[WRITE])
def get_upload(request: Request, upload: UploadId) -> Received:
    """The progress of an upload."""
    return _received(site_of(request).store.uploads.state(upload, visitor_of(request).name))


@router.patch(
    "/uploads/{upload}",
    dependencies=[WRITE],
    description=f"It has 1 to {MOST_AT_ONCE:,} bytes and follows those that are here. The answer "
    "comes when it is stored.",
    responses={
        409: {
            "description": "It doesn't follow the bytes that are here; the sentence says where to "
            "continue."
        },
        413: {"description": "The body is too large."},
        **_NO_SPACE,
    },
    openapi_extra=FILE,
)
def append_upload(
    request: Request,
    upload: UploadId,
    query: Annotated[Place, Query()],
    file: Annotated[IO[bytes], Depends(upload_part, scope="function")],
) -> Received:
    """Send a part."""
    uploads, sender = site_of(request).store.uploads, visitor_of(request).name
    return Received(upload, uploads.append(upload, sender, query.first, file.read()))


@router.post(
    "/uploads/{upload}/finish",
    dependencies=[WRITE],
    response_model=IngestResult,
    status_code=201,
    responses={200: {}, **_OF_FILES},
)
@in_turn
def finish_upload(request: Request, upload: UploadId) -> Response:
    """Store the run whose file was sent.

    When it answers 200 or 201 the run is stored.
    """
    uploads = site_of(request).store.uploads
    found = uploads.state(upload, visitor_of(request).name)
    if not found.whole:
        raise WrongPlace(
            f"{found.received:,} of {found.bytes:,} bytes have arrived; send the others first.",
            found.received,
        )
    try:
        response = _stored(request, _checked(uploads.content(found.id), found.digest))
    except (Conflict, HTTPException, RunFileError, Unsound):
        uploads.done(found.id)  # what can't be taken now can't be later
        raise
    uploads.done(found.id)
    return response


def _stored(request: Request, parts: Iterable[bytes], run: str | None = None) -> Response:
    """Store the run in a file; 201 where it is new."""
    store, by = site_of(request).store, visitor_of(request)
    found = ingest(store, parts, sender=by.name, address=by.address, run_id=run)
    return render(request, found, 201 if found.new else 200)


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


def _received(upload: Upload) -> Received:
    return Received(upload.id, upload.received)
