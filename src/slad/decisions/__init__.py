"""From scores to decisions: folds, calibration, p-values, rules, and unsure rows."""

from slad.decisions.calibration import Calibration
from slad.decisions.discoveries import benjamini_hochberg
from slad.decisions.folds import Fold, make_folds
from slad.decisions.rules import (
    RULES,
    Contamination,
    FalseDiscoveryRate,
    FalsePositiveRate,
    Rule,
    TopK,
    make_rule,
)
from slad.decisions.standard import PartStandard, Standard
from slad.decisions.ties import settle_ties, tied_rows
from slad.decisions.uncertainty import standard_errors, unsure_rows

__all__ = [
    "RULES",
    "Calibration",
    "Contamination",
    "FalseDiscoveryRate",
    "FalsePositiveRate",
    "Fold",
    "PartStandard",
    "Rule",
    "Standard",
    "TopK",
    "benjamini_hochberg",
    "make_folds",
    "make_rule",
    "settle_ties",
    "standard_errors",
    "tied_rows",
    "unsure_rows",
]
