"""Processes that stend starts, here and on other hosts: children, interrupts, shells, MPI."""
