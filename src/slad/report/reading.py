"""Explanations of the words on the page, and the page's limits."""

from __future__ import annotations

from slad.report.markup import Html, section, tag

_WORDS = {
    "Row number": "The position of a row in its table, from 1; a header line does not count.",
    "Score": "How badly a row fits what the model learned from other rows. 0 is a row in the "
    "middle; higher means stranger. Only the order and the distance to the threshold matter.",
    "± error": "How much the score varies between models that learned from other rows or with "
    "other random numbers.",
    "p-value": "The fraction of the calibration rows that are at least as strange. 0.01 means one "
    "in a hundred.",
    "Strange": "The row is flagged: its score is at the threshold or above.",
    "Too close to call": "The score is so near to the threshold, compared with its error, that "
    "another run could decide differently.",
    "Usual": "The score is below the threshold.",
    "Reason": "A column, or a few that belong together, with a value that makes the score higher "
    "than the values of similar normal rows would. Shares may not add up to 100 %.",
    "Nearest normal row": "The row most like this one among rows with low scores: what this row "
    "might have looked like.",
}

_LIMITS = (
    "A strange row is not necessarily wrong. It may be an error, a fraud, a fault, or simply rare; "
    "someone who knows the data has to decide.",
    "A usual row is not necessarily right. An error that looks like other rows is not found.",
    "Reasons say what raised the score, not what caused the event behind the row.",
    "The guarantee above holds for rows of the same kind as the calibration rows. If the data "
    "have changed since, more rows are flagged.",
)


def reading() -> Html:
    """The section "How to read this", the same on every page."""
    words = [tag("div", tag("dt", word), tag("dd", text)) for word, text in _WORDS.items()]
    return section(
        "reading",
        "How to read this page",
        tag("dl", *words, class_="words"),
        tag("h3", "What this page cannot say"),
        tag("ul", *(tag("li", text) for text in _LIMITS), class_="limits"),
    )
