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
    raise Missing(
        f"The compiled reconstruction can't be loaded ({error}); build it with `pip install "
        "./engines/tomo` in the project's folder."
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
