"""Stacks of small networks, and the one training loop of all detectors with networks."""

from slad.learning.callbacks import Callback, EarlyStop, Interrupt, Progress, Snapshots
from slad.learning.loop import MemberPlan, MemberResult, Stream, train
from slad.learning.method import Batch, Method, NetworkMethod, RowSource, Tensors
from slad.learning.mlp import MLP, draw_uniform, leaky
from slad.learning.objective import Objective
from slad.learning.optimizer import StackAdam, StackOptimizer, StackSGD
from slad.learning.parameters import ParameterStack, Shapes, split
from slad.learning.rows_objective import RowsObjective, RowsTask
from slad.learning.schedule import FILL, StreamSchedule
from slad.learning.sharing import ALONE, Share

__all__ = [
    "ALONE",
    "FILL",
    "MLP",
    "Batch",
    "Callback",
    "EarlyStop",
    "Interrupt",
    "MemberPlan",
    "MemberResult",
    "Method",
    "NetworkMethod",
    "Objective",
    "ParameterStack",
    "Progress",
    "RowSource",
    "RowsObjective",
    "RowsTask",
    "Shapes",
    "Share",
    "Snapshots",
    "StackAdam",
    "StackOptimizer",
    "StackSGD",
    "Stream",
    "StreamSchedule",
    "Tensors",
    "draw_uniform",
    "leaky",
    "split",
    "train",
]
