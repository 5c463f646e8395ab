"""How figures change over the runs of a machine: levels, changes, and what changed with them."""
