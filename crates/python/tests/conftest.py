"""What all tests share."""

import os

# Small products of matrices are slower on several threads, above all beside other work.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
