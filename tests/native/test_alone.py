"""An engine stands alone: built, moved, used and removed; what strangers send it does no harm."""

import pytest

from native.scripts import output

pytestmark = pytest.mark.full


@pytest.mark.parametrize("engine", ["gost", "tomo", "unet"])
def test_an_engine_stands_alone_and_touches_no_memory_but_its_own(engine: str) -> None:
    assert output("alone.sh", engine).endswith(f"{engine}: clean\n")
