"""Measuring cases: a plan, fresh worker processes for kernels, and repeated commands.

`launch` starts one `worker`, which measures a `kernel`; `case` makes records of what comes
back, and `passes` goes through all cases again and again, turn by turn where two are set side
by side; `program` measures any `command`, `function` a Python function. A launcher is a
function, so tests give a fake one.
"""
