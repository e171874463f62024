"""Speeds, measured in one run beside what they are compared with: `python -m tests.benchmarks [--json FILE]`."""
