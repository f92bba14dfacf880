"""An ONNX graph that is being written: operations by name, constants where they are used."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

OPSET = 18


@dataclass
class Graph:
    """Nodes and constants; a name stands for a tensor."""

    nodes: list[Any] = field(default_factory=list)
    constants: list[Any] = field(default_factory=list)

    def __call__(self, operation: str, *inputs: Any, **attributes: Any) -> str:
        """Add an operation; arrays and numbers among its inputs become constants."""
        from onnx import helper

        names = [each if isinstance(each, str) else self.constant(each) for each in inputs]
        result = f"t{len(self.nodes)}"
        self.nodes.append(helper.make_node(operation, names, [result], **attributes))
        return result

    def constant(self, value: Any) -> str:
        from onnx import numpy_helper

        name = f"c{len(self.constants)}"
        self.constants.append(numpy_helper.from_array(np.asarray(value), name))
        return name

    def cast(self, name: str, dtype: Any) -> str:
        from onnx import helper

        return self("Cast", name, to=helper.np_dtype_to_tensor_dtype(np.dtype(dtype)))

    def mean(self, names: Sequence[str]) -> str:
        """The mean of several tensors. ONNX's own Mean has no double precision in common
        runtimes."""
        total = names[0]
        for name in names[1:]:
            total = self("Add", total, name)
        return self("Div", total, np.float64(len(names)))

    def result(self, name: str, called: str) -> None:
        """Give a tensor the name under which it leaves the graph."""
        from onnx import helper

        self.nodes.append(helper.make_node("Identity", [name], [called]))
