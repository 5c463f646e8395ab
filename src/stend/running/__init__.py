"""A case → its record: fresh worker processes that measure a kernel, or a command run again.

`launch` starts one `worker`, which measures a `kernel`; `case` repeats that over processes or
interleaves two sides; `program` measures any `command`, `function` a Python function. A
launcher is a function, so tests give a fake one.
"""
