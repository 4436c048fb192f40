"""What all tests share."""

import os
import signal

# Small matrix products are slower on several threads, above all on a busy machine.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

# A shell starts what it runs in the background with this signal ignored, and tests send it.
signal.signal(signal.SIGINT, signal.default_int_handler)
