"""Runs every case as the present user: `suite.py ARGRAIL [NAME…]`. The last line is "N passed, N failed"."""

import sys

import cases
import confined
import ends
import turns
from harness import Suite

if __name__ == "__main__":
    sys.exit(cases.main(Suite, (turns, ends, confined)))
