"""Matrix products whose rows do not depend on their places."""

from __future__ import annotations

import torch
from torch import Tensor
from torch.nn.functional import pad

from slad.core.typing import Float

NARROW = 12
"""MKL's kernels for fewer columns (seen for 1 to 11, with AVX-512) sum a row in an order that
depends on where in memory it begins. So such products are widened."""
WIDENED = 16


def row_product(
    rows: Float[Tensor, "*_ n k"],
    matrix: Float[Tensor, "*_ k h"],
    *,
    plus: Tensor | None = None,
    out: Tensor | None = None,
) -> Float[Tensor, "*_ n h"]:
    """`rows @ matrix + plus`, where equal rows give equal results to the bit wherever they stand.

    The number of rows must be the same in all calls: kernels are chosen by it, too.
    """
    columns = matrix.shape[-1]
    if columns >= NARROW or rows.device.type != "cpu":
        if plus is None:
            return torch.matmul(rows, matrix, out=out)
        add = torch.addmm if rows.dim() == 2 else torch.baddbmm
        return add(plus, rows, matrix, out=out)
    found = torch.matmul(rows, pad(matrix, (0, WIDENED - columns)))[..., :columns]
    found = found.contiguous() if plus is None else found + plus
    return found if out is None else out.copy_(found)
