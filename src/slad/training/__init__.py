"""The one training loop of everything deep in slad."""

from slad.training.callbacks import Callback, EarlyStop, Interrupt, Progress, Snapshots
from slad.training.engine import MemberPlan, MemberResult, train
from slad.training.method import Batch, Method, NetworkMethod, RowSource, Tensors
from slad.training.objective import Objective
from slad.training.optimizer import StackAdam, StackOptimizer, StackSGD
from slad.training.rows import RowsObjective, RowsTask

__all__ = [
    "Batch",
    "Callback",
    "EarlyStop",
    "Interrupt",
    "MemberPlan",
    "MemberResult",
    "Method",
    "NetworkMethod",
    "Objective",
    "Progress",
    "RowSource",
    "RowsObjective",
    "RowsTask",
    "Snapshots",
    "StackAdam",
    "StackOptimizer",
    "StackSGD",
    "Tensors",
    "train",
]
