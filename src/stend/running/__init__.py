"""Measuring cases: a plan, fresh worker processes for kernels, and repeated commands.

`launch` starts one `worker`, which measures a `kernel`; `schedule` goes through all cases again and
again, turn by turn where two are set side by side, and makes records of what comes back; `program`
measures any command, `kernel` also a Python function. A launcher is a function, so tests give a
fake one.
"""
