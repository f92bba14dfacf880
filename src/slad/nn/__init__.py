"""Building blocks of networks that train as a stack: a leading axis of members everywhere."""

from slad.nn.stack import ParameterStack

__all__ = ["ParameterStack"]
