"""The program ``burgrave``, also for ``python -m burgrave`` where it is not on the path."""

from __future__ import annotations

import gc
import sys

_ALLOCATIONS = 100_000
"""Objects after which Python looks for circles of them.

At its own number it looks dozens of times while packages are imported, in vain.
"""


def main() -> None:
    """Run the program. Ctrl-C ends it in one line, also while packages are imported."""
    gc.set_threshold(_ALLOCATIONS)
    try:
        from burgrave.cli.app import main as run  # noqa: PLC0415 -- takes time, in which Ctrl-C may come

        run()
    except KeyboardInterrupt:
        sys.stderr.write("Interrupted.\n")
        sys.exit(130)
    finally:
        # At its end Python would look through all objects once more: half a second, for nothing.
        gc.freeze()


if __name__ == "__main__":
    main()
