"""A case → its record: fresh worker processes that measure a kernel, or a command run again.

`launch` starts one `worker`, which measures a `kernel`; `case` makes records of what comes
back, and `passes` goes through all cases again and again, turn by turn where two are set side
by side; `program` measures any `command`, `function` a Python function. A launcher is a
function, so tests give a fake one.
"""
