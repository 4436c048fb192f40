"""The programs of this package: ``python -m wurfel`` and others."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable


def run(main: Callable[[], None]) -> None:
    """Runs a program. It ends quietly when the reader of its output has gone, as ``head`` does, and at Ctrl-C."""
    try:
        main()
        sys.stdout.flush()
    except BrokenPipeError:
        # Python flushes once more at its end, and would complain.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except KeyboardInterrupt:
        sys.exit(130)
