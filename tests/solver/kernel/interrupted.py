"""The small functions, after Ctrl-C in each step of their compilation in turn."""

from __future__ import annotations

from contextlib import redirect_stdout
from io import StringIO
from itertools import count
from typing import Any

from burgrave.solver.kernel import compiling
from tests.solver.kernel import toys


def main() -> None:
    """Print what the small functions print, and how often they were interrupted before."""
    linking: Any = compiling.linking
    keep = linking._Keep.run_pass
    left = 0

    def stopped(self: Any, state: Any) -> bool:
        """Make a part, or be interrupted."""
        nonlocal left
        left -= 1
        if left < 0:
            raise KeyboardInterrupt
        return bool(keep(self, state))

    linking._Keep.run_pass = stopped
    for before in count():
        left = before
        printed = StringIO()
        try:
            with redirect_stdout(printed):
                toys.main()
        except KeyboardInterrupt:
            continue
        print(printed.getvalue(), end="")  # noqa: T201
        print("interruptions:", before)  # noqa: T201
        return


if __name__ == "__main__":
    main()
