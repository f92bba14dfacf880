"""What the words on the page mean, and what the page cannot say."""

from __future__ import annotations

from slad.report.markup import Html, section, tag

_WORDS = {
    "Score": "How badly a row fits what the model learned of the other rows. 0 is a row in the "
    "middle; the higher, the stranger. Only the order and the distance to the threshold matter.",
    "± error": "How much the score changes between models that learned from different parts of "
    "the rows or from other random draws.",
    "p-value": "The share of the rows it is judged against that are at least as strange. 0.01 "
    "means one in a hundred.",
    "Strange": "The score is at the threshold or above.",
    "Too close to call": "The score is so near to the threshold, compared with its error, that "
    "another run could decide the other way.",
    "Usual": "The score is below the threshold.",
    "Reason": "A column, or a few that belong together, whose value makes the score higher than it "
    "would be with the values of comparable normal rows. Shares need not add up to 100 %.",
    "Nearest normal row": "A row that was judged usual and is most like this one: what it might "
    "have looked like.",
}

_LIMITS = (
    "A strange row is not a wrong row. It may be an error, a fraud, a fault, or simply rare; that "
    "is for someone to decide who knows the data.",
    "A usual row is not a right row. An error that looks like the other rows is not found.",
    "Reasons say what moved the score, not what caused the event behind the row.",
    "The promise above holds for rows of the same kind as those judged against. Where the data "
    "have changed since, more rows stand out.",
)


def reading() -> Html:
    """The same for every page."""
    words = [tag("div", tag("dt", word), tag("dd", text)) for word, text in _WORDS.items()]
    return section(
        "reading",
        "How to read this",
        tag("dl", *words, class_="words"),
        tag("h3", "What this page cannot say"),
        tag("ul", *(tag("li", text) for text in _LIMITS), class_="limits"),
    )
