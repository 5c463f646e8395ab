"""Every operation does what the document says of it, whoever asks whatever (Schemathesis)."""

import pytest
import schemathesis
from hypothesis import HealthCheck, given, settings
from hypothesis.strategies import sampled_from
from schemathesis import GenerationMode
from schemathesis.specs.openapi.checks import positive_data_acceptance

from patience import PATIENCE
from stend.store import Right
from stend.web.api import OPERATIONS
from stend.web.api.request import BASE
from web.asking import IDS, Asking, stocked

EXAMPLES = 20
"""As who just may; one as who may more, or less."""
BESIDE = {
    *("get_changes", "compare", "follow", "add_token", "list_runs", "relabel_run"),
    *("put_run", "begin_upload", "append_upload"),
}
"""What these take depends on what is stored, or on the bytes: what fits can be refused."""


@pytest.fixture(scope="module")
def app(shared):
    return Asking(stocked(shared))


@pytest.fixture(scope="module", params=list(Right), ids=str)
def right(request):
    return request.param


@pytest.fixture(scope="module")
def schema(app, right):
    found = schemathesis.openapi.from_asgi(f"{BASE}/openapi.json", app, timeout=PATIENCE)

    class Shown:
        def get(self, *_):
            return f"Bearer {right}"

        def set(self, case, data, _):
            case.headers = {**(case.headers or {}), "Authorization": data}

    found.auth()(Shown)
    return found


def test_the_document_is_one_of_openapi_and_names_each_operation_once(app):
    schemathesis.openapi.from_asgi(f"{BASE}/openapi.json", app, timeout=PATIENCE).validate()
    assert len({of.operation_id for of in OPERATIONS}) == len(OPERATIONS)


def test_the_document_tells_strangers_no_version_of_stend(app):
    stranger = app.ask("/openapi.json", headers={"authorization": "none"})
    assert stranger.json["info"]["version"] == "1"


CASES = [
    (of, mode)
    for of in OPERATIONS
    for mode in GenerationMode
    if mode is GenerationMode.POSITIVE or of.query or of.body_field or of.param_convertors
]


@pytest.mark.parametrize(
    ("of", "mode"), CASES, ids=[f"{of.operation_id}-{mode.value}" for of, mode in CASES]
)
def test_an_operation_does_what_the_document_says(schema, right, of, mode):
    unsure = [positive_data_acceptance] if of.operation_id in BESIDE else []
    operation = schema[of.path][next(iter(of.methods))]

    @settings(
        max_examples=EXAMPLES if right is of.right else 1, suppress_health_check=list(HealthCheck)
    )
    @given(
        case=operation.as_strategy(generation_mode=mode),
        run=sampled_from([None, *IDS] if mode is GenerationMode.POSITIVE else [None]),
    )
    def asked(case, run):
        if run and "run" in of.param_convertors:
            case.path_parameters["run"] = run
        case.call_and_validate(excluded_checks=unsure)

    asked()
