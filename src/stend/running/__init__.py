"""A case → its record: fresh worker processes that measure a kernel, or a command run again.

`launch` starts one worker; `case` repeats it over processes; `pairs` interleaves two sides;
`command` measures any program. A launcher is a function, so tests give a fake one.
"""
