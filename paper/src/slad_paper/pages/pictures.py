"""The vocabulary of figures: palette, panels, legends, rows of names.

Figures are made without pyplot, so that no global state changes. Colours are those of Okabe and
Ito, which people with colour blindness can tell apart.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from matplotlib.axes import Axes as Axes
    from matplotlib.figure import Figure as Figure
else:  # reports without pictures need no matplotlib
    Axes = Figure = Any

INK, GREY, BAND = "#222222", "#8a8a8a", "#e3e3e3"
BLUE, VERMILION, GREEN, PINK, ORANGE, SKY = (
    "#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9",
)  # fmt: skip
PALETTE = (BLUE, VERMILION, GREEN, PINK, ORANGE, SKY)

STYLE: dict[str, Any] = {
    "font.family": "DejaVu Sans",  # comes with matplotlib, so every machine draws the same
    "font.size": 9,
    "axes.titlesize": 10,
    "axes.titleweight": "bold",
    "axes.titlelocation": "left",
    "axes.edgecolor": GREY,
    "axes.labelcolor": INK,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.axisbelow": True,
    "text.color": INK,
    "xtick.color": INK,
    "ytick.color": INK,
    "grid.color": "#dddddd",
    "grid.linewidth": 0.6,
    "legend.frameon": False,
    "figure.facecolor": "white",
    "savefig.dpi": 150,
    "svg.hashsalt": "slad",  # names of clip paths are random without it
    "svg.fonttype": "path",
}


@contextmanager
def style() -> Iterator[None]:
    """These settings on top of matplotlib's defaults, whatever the user's own file says."""
    import matplotlib

    settings: Any = STYLE
    with matplotlib.rc_context():
        matplotlib.rcdefaults()
        matplotlib.rcParams.update(settings)
        yield


def new_figure(width: float, height: float) -> Figure:
    from matplotlib.figure import Figure

    return Figure(figsize=(width, height), layout="constrained")


def one_panel(width: float, height: float) -> tuple[Figure, Axes]:
    figure = new_figure(width, height)
    return figure, figure.add_subplot()


def panels(
    count: int,
    columns: int,
    size: tuple[float, float],
    margin: tuple[float, float] = (0.0, 0.0),
    **options: Any,
) -> tuple[Figure, list[Axes]]:
    """A figure with `count` panels, line by line; `size` and `margin` are in inches."""
    columns = min(columns, count)
    lines = -(-count // columns)
    figure = new_figure(size[0] * columns + margin[0], size[1] * lines + margin[1])
    axes = list(figure.subplots(lines, columns, squeeze=False, **options).ravel())
    for axis in axes[count:]:
        axis.set_visible(False)
    return figure, axes[:count]


def one_legend(
    figure: Figure, axes: Iterable[Axes], names: Iterable[str] | None = None, **options: Any
) -> None:
    """One legend for all panels: every label once, in the order of `names` where given."""
    found = {
        label: handle
        for axis in axes
        for handle, label in zip(*axis.get_legend_handles_labels(), strict=True)
    }
    shown = [name for name in names or found if name in found]
    figure.legend([found[name] for name in shown], shown, **options)


def key(figure: Figure, entries: Mapping[str, Mapping[str, Any]], **options: Any) -> None:
    """A legend of lines that look like this: label -> color, ls, lw."""
    from matplotlib.lines import Line2D

    handles = [Line2D([], [], label=label, **look) for label, look in entries.items()]
    figure.legend(handles=handles, **options)


def named_rows(axis: Axes, names: Sequence[str]) -> None:
    """A row for each name, the first on top."""
    axis.set_ylim(len(names) - 0.5, -0.5)
    axis.set_yticks(range(len(names)), names)
    axis.tick_params(axis="y", length=0)
    axis.grid(axis="x")
    axis.spines["left"].set_visible(False)


def accent_names(axis: Axes, colours: Mapping[str, str]) -> None:
    """Names of rows in colours of their own; blue ones are bold."""
    for label in axis.get_yticklabels():
        if (colour := colours.get(label.get_text())) is not None:
            label.set(color=colour, fontweight="bold" if colour == BLUE else "normal")
