"""Run the comparison of encodings, or print it."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from slad.core.errors import DataError
from slad_paper.runner.records import write_record
from slad_paper.studies import encodings
from slad_paper.studies.encodings.comparison import SEEDS, compare, record_path, table
from slad_paper.studies.encodings.sources import SOURCES


def main() -> None:
    parser = argparse.ArgumentParser(description=(encodings.__doc__ or "").splitlines()[0])
    parser.add_argument("--tables", nargs="+", choices=SOURCES, default=list(SOURCES))
    parser.add_argument("--seeds", nargs="+", type=int, default=SEEDS)
    parser.add_argument("--results", type=Path, default=Path("results/encodings"))
    parser.add_argument("--again", action="store_true", help="run what is recorded already, too")
    parser.add_argument("--table", action="store_true", help="run nothing")
    options = parser.parse_args()
    for name in [] if options.table else options.tables:
        path = record_path(options.results, name)
        if path.exists() and not options.again:
            continue
        print(f"{name} ...", file=sys.stderr)
        try:
            write_record(path, compare(name, options.seeds))
        except DataError as error:
            print(f"{name} is left out: {error}", file=sys.stderr)
    print("\n".join(table(options.results)))


main()
