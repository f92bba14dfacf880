"""The one training loop of everything deep in slad."""

from slad.training.callbacks import Callback, EarlyStop, Interrupt, Progress, Snapshots
from slad.training.engine import MemberPlan, MemberResult, Stream, train
from slad.training.history import Plain
from slad.training.method import Batch, Method, NetworkMethod, RowSource, Tensors
from slad.training.objective import Objective
from slad.training.optimizer import StackAdam, StackOptimizer, StackSGD
from slad.training.rows import RowsObjective, RowsTask
from slad.training.schedule import FILL, StreamSchedule
from slad.training.sharing import ALONE, Share

__all__ = [
    "ALONE",
    "FILL",
    "Batch",
    "Callback",
    "EarlyStop",
    "Interrupt",
    "MemberPlan",
    "MemberResult",
    "Method",
    "NetworkMethod",
    "Objective",
    "Plain",
    "Progress",
    "RowSource",
    "RowsObjective",
    "RowsTask",
    "Share",
    "Snapshots",
    "StackAdam",
    "StackOptimizer",
    "StackSGD",
    "Stream",
    "StreamSchedule",
    "Tensors",
    "train",
]
