"""Runs every case as the present user: `suite.py ARGRAIL [NAME…]`. The last line is "N passed, N failed"."""

import sys

import bypass
import cases
import hosts
import output
import prompts
import reads
import repository
import starts
from harness import Suite

if __name__ == "__main__":
    sys.exit(cases.main(Suite, (reads, hosts, bypass, repository, prompts, starts, output)))
