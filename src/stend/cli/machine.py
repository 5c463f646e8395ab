"""`stend machine`: what this machine is, and what disturbs it now."""

from stend.cli.options import Json, print_json


def verb(json: Json = False) -> None:
    """Show what this machine is, what could not be read, and what disturbs it now.

    Each disturbance comes with one line on how to mend it.
    """
    from stend.machine import CALIBRATION, conditions_now, inspect

    machine, disturbances = inspect(calibrate=CALIBRATION), conditions_now()
    if json:
        shown = {"machine": machine, "disturbances": disturbances}
        print_json(shown)
    else:
        from stend.report import terminal

        terminal.print_machine(machine, disturbances)
