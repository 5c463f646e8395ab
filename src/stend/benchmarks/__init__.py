"""What is measured: how a benchmark is defined, found and described, and the families there are."""
