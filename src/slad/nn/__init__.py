"""Building blocks of networks that train as a stack: a leading axis of members everywhere."""

from slad.nn.mlp import MLP, draw_uniform, leaky
from slad.nn.stack import ParameterStack, Shapes, split

__all__ = ["MLP", "ParameterStack", "Shapes", "draw_uniform", "leaky", "split"]
