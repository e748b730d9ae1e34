"""The way in of ``canfield`` and of ``python -m canfield_cli``."""

from __future__ import annotations

import sys

from .cli.shell import main

if __name__ == "__main__":
    sys.exit(main())
