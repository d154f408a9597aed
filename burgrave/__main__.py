"""``python -m burgrave`` runs the program, where its own command is not on the path."""

from __future__ import annotations

from cli.app import main

if __name__ == "__main__":
    main()
