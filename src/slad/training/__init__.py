"""The one training loop of everything deep in slad."""

from slad.training.callbacks import Callback, EarlyStop, Interrupt, Progress
from slad.training.engine import MemberPlan, MemberResult, train
from slad.training.objective import Objective

__all__ = [
    "Callback",
    "EarlyStop",
    "Interrupt",
    "MemberPlan",
    "MemberResult",
    "Objective",
    "Progress",
    "train",
]
