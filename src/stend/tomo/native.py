"""The compiled reconstruction, or a sentence that says how to get it."""

from stend.errors import SetupError

try:
    from stend._tomo import (
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
    raise SetupError(
        f"stend's compiled reconstruction can't be loaded ({error}); "
        "build it with `pip install .` in the project's folder."
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
