"""Runs every case: `suite.py ARGRAIL [NAME…]`. The last line is "N passed, N failed"."""

import sys

import cases
import corpus
import estimates
import real
from harness import Suite

if __name__ == "__main__":
    sys.exit(cases.main(Suite, (corpus, real, estimates)))
