"""A handler's result as a response: JSON by msgspec, its ETag, packed with gzip."""

import gzip
import hashlib
from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from stend.record.columns import to_json

_WORTH_PACKING = 1000
"""Bytes: less is hardly smaller packed."""
_LEVEL = 3
"""Of gzip: a run file of 11 MB takes 0.2 s, at 6 it takes 0.6 s and is 4% smaller."""


def render(request: Request, result: Any, status: int = 200) -> Response:
    """Encode a result, unless it is bytes of JSON or a response already.

    It is packed here, in the handler's thread: the site's middleware would keep all others waiting.
    """
    if isinstance(result, Response):
        return result
    if result is None:
        return Response(status_code=204)
    content = result if isinstance(result, bytes) else to_json(result)
    headers = {"cache-control": "no-store"}
    if request.method in ("GET", "HEAD"):
        # Weak: it is the same packed.
        tag = f'W/"{hashlib.blake2b(content, digest_size=16).hexdigest()}"'
        headers = {"cache-control": "private, no-cache", "etag": tag, "vary": _VARY}
        if _is_known(tag, request.headers.get("if-none-match", "")):
            return Response(status_code=304, headers=headers)
    if len(content) >= _WORTH_PACKING and "gzip" in request.headers.get("accept-encoding", ""):
        content = gzip.compress(content, _LEVEL, mtime=0)
        headers["content-encoding"] = "gzip"
    return Response(content, status, headers, media_type="application/json")


_VARY = "authorization, cookie"


def _is_known(tag: str, header: str) -> bool:
    known = {one.strip().removeprefix("W/") for one in header.split(",")}
    return header.strip() == "*" or tag.removeprefix("W/") in known
