"""The small functions, after Ctrl-C in each step of their compilation in turn."""

from __future__ import annotations

from contextlib import redirect_stdout
from io import StringIO
from typing import Any

from solver.kernel import linking
from tests.solver.kernel import toys

keep = linking._Keep.run_pass
before = 0
"""The parts that are made before the next Ctrl-C."""
left = 0


def stopped(self: Any, state: Any) -> bool:
    """Make a part, or be interrupted."""
    global left  # noqa: PLW0603
    left -= 1
    if left < 0:
        raise KeyboardInterrupt
    return bool(keep(self, state))


linking._Keep.run_pass = stopped  # type: ignore[method-assign]
printed = StringIO()
while not printed.getvalue().count("compiled"):
    left = before
    before += 1
    printed = StringIO()
    try:
        with redirect_stdout(printed):
            toys.main()
    except KeyboardInterrupt:
        continue
print(printed.getvalue(), end="")  # noqa: T201
print("interruptions:", before - 1)  # noqa: T201
