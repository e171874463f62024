"""`python -m tests.fuzz [--inputs N]`: N inputs over all targets; exit 1 with the smallest input that breaks one."""

import argparse

from tests.fuzz.run import run
from tests.fuzz.targets import TARGETS


def main() -> None:
    """The entry point."""
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description=__doc__)
    parser.add_argument("--inputs", type=int, default=1_000_000)
    share = -(-parser.parse_args().inputs // len(TARGETS))
    for name, target in TARGETS.items():
        run(target, share)
        print(f"{share:9} inputs  {name}", flush=True)


if __name__ == "__main__":
    main()
