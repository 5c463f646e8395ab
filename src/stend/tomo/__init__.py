"""Tomography on CPUs: slices from X-ray projections, and what belongs to it."""
