"""The compiled reconstruction, or a sentence that says how to get it."""

from stend_tomo.errors import Missing

try:
    from stend_tomo._tomo import (
        ConeReconstruction,
        Filtering,
        IterativeReconstruction,
        Projector,
        Rebinning,
        Reconstruction,
        algorithms,
        angle_weights,
        draw_phantom,
        filters,
        normalize,
        phantom,
        phantom_variants,
        phantoms,
        preparation_variants,
        project_phantom,
        remove_stripes,
        remove_zingers,
        variants,
    )
except ImportError as error:
    from pathlib import Path

    raise Missing(
        f"The compiled reconstruction can't be loaded from {Path(__file__).parent} ({error}); "
        "reinstall stend-tomo for this Python and machine, or run `pip install ./engines/tomo` in "
        "the project's folder. Sources on PYTHONPATH have no compiled part."
    ) from error

__all__ = [
    "ConeReconstruction",
    "Filtering",
    "IterativeReconstruction",
    "Projector",
    "Rebinning",
    "Reconstruction",
    "algorithms",
    "angle_weights",
    "draw_phantom",
    "filters",
    "normalize",
    "phantom",
    "phantom_variants",
    "phantoms",
    "preparation_variants",
    "project_phantom",
    "remove_stripes",
    "remove_zingers",
    "variants",
]
