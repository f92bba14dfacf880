"""What is known of every dataset: shape, licence, source, file and checksum (catalog.toml)."""

from __future__ import annotations

import hashlib
import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from pathlib import PurePosixPath
from types import MappingProxyType
from typing import Any

from slad.core.errors import ConfigError
from slad.core.names import unknown

PLACES = "places"
TABLE, SERIES = "table", "series"
"""Kinds of datasets."""
OF_GROUP = ("about", "sets")
OF_FILE = ("file", "url", "sha256", "bytes", "also")


@dataclass(frozen=True)
class File:
    """One file of a dataset; None where something is not known."""

    path: str
    """Under the data root, with forward slashes."""
    url: str | None = None
    sha256: str | None = None
    bytes: int | None = None
    also: str | None = None
    """sha256 of the same content packed in another way, which is as good."""

    @property
    def checksums(self) -> tuple[str, ...]:
        return tuple(each for each in (self.sha256, self.also) if each)


@dataclass(frozen=True)
class Entry:
    """What the catalog says of a dataset. One without files is generated or embedded."""

    name: str
    title: str
    group: str
    rows: int
    features: int
    anomalies: int
    licence: str
    source: str
    citation: str
    reader: str
    kind: str = TABLE
    """A table, or a time series: its rows are points in time, its features channels."""
    note: str = ""
    files: tuple[File, ...] = ()
    options: Mapping[str, Any] = field(default_factory=dict, hash=False)
    """What the reader has to know: the label of an anomaly, a seed."""

    @property
    def file(self) -> str | None:
        """Path of the file under the data root; of several files, of the first."""
        return self.files[0].path if self.files else None

    @property
    def url(self) -> str | None:
        return self.files[0].url if self.files else None

    @property
    def bytes(self) -> int | None:
        """Size of all files together."""
        sizes = [file.bytes for file in self.files if file.bytes is not None]
        return sum(sizes) if self.files and len(sizes) == len(self.files) else None

    @property
    def sha256(self) -> str | None:
        """Checksum of the file; of several files, the checksum of their checksums in order; of a
        task that was built, that of its rows and labels."""
        if "content" in self.options:
            return str(self.options["content"])
        found = [file.sha256 for file in self.files if file.sha256]
        if not found or len(found) < len(self.files):
            return None
        return found[0] if len(found) == 1 else hashlib.sha256("".join(found).encode()).hexdigest()


def names(group: str | None = None) -> list[str]:
    """The names of all datasets, or of one group, in the catalog's order."""
    if group is not None and group not in groups():
        raise unknown("group of datasets", group, groups())
    return [name for name, entry in _entries().items() if group in (None, entry.group)]


def groups() -> list[str]:
    """The groups of datasets, in the catalog's order."""
    return list(dict.fromkeys(entry.group for entry in _entries().values()))


def find(name: str) -> Entry:
    """What is known of a dataset: one of the catalog, a table of chosen classes
    (`fmnist-02-vs-7`), or a task of the tuning suite (`suite-...`)."""
    from slad_paper.datasets.classes import of_classes
    from slad_paper.datasets.suite.manifest import entry_of

    entries = _entries()
    if name in entries:
        return entries[name]
    if "fmnist-0" in entries and (made := of_classes(name, entries["fmnist-0"])):
        return made
    if of_suite := entry_of(name):
        return of_suite
    raise unknown("dataset", name, names())


@cache
def _entries() -> dict[str, Entry]:
    text = files("slad_paper.datasets").joinpath("catalog.toml").read_text(encoding="utf-8")
    return {entry.name: entry for entry in parse(text)}


def parse(text: str) -> Iterator[Entry]:
    """The entries of a catalog's text; what an entry does not say, its group says."""
    table = tomllib.loads(text)
    places = table.pop(PLACES, {})
    for group, said in table.items():
        default = {key: value for key, value in said.items() if key not in OF_GROUP}
        for name, own in said["sets"].items():
            try:
                yield _entry(group, name, default | own, places)
            except (KeyError, TypeError) as error:
                raise ConfigError(
                    f"the catalog's {name!r} in [{group}.sets] cannot be used: {error}; "
                    "docs/datasets.md says what an entry needs"
                ) from error


def _entry(group: str, name: str, said: dict[str, Any], places: dict[str, str]) -> Entry:
    part = re.split("[_-]", name, maxsplit=1)[-1]
    words = {**places, "name": name, "part": part}
    listed = said.pop("files", None)
    if listed is None and "file" in said:
        listed = [{"path": said["file"], **{k: said[k] for k in OF_FILE[2:] if k in said}}]
    facts = {key: value for key, value in said.items() if key not in OF_FILE}
    return Entry(
        name=name,
        group=group,
        title=facts.pop("title").format(**words),
        files=tuple(_file(each, said.get("url", ""), words) for each in listed or ()),
        options=MappingProxyType(facts.pop("options", {})),
        **facts,
    )


def _file(said: dict[str, Any], url: str, words: dict[str, str]) -> File:
    path = said["path"].format(**words)
    address = said.get("url", url).format(**words, file=PurePosixPath(path).name)
    return File(**said | {"path": path, "url": address or None})
