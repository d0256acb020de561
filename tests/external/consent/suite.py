"""Runs every case as the present user: `suite.py ARGRAIL [NAME…]`. The last line is "N passed, N failed"."""

import sys

import asking
import binding
import cases
import hostile
import kills
import record
import sharing
import works
from harness import Suite

if __name__ == "__main__":
    sys.exit(cases.main(Suite, (asking, works, binding, hostile, record, sharing, kills)))
