"""How long a test waits for what has to come: on a busy machine, too, only a hang takes longer."""

PATIENCE = 240.0
"""Seconds."""
