from __future__ import annotations

import pytest
import torch

from slad.core.products import NARROW, row_product

COLUMNS = [1, 2, 5, 7, 8, 9, NARROW - 1, NARROW, 16, 33]
LAYOUTS = {"by row": lambda x: x.contiguous(), "by column": lambda x: x.mT.contiguous().mT}


def drawn(*shape: int) -> torch.Tensor:
    return torch.randn(shape, generator=torch.Generator().manual_seed(sum(shape)))


@pytest.mark.parametrize("layout", LAYOUTS.values(), ids=LAYOUTS)
@pytest.mark.parametrize("columns", COLUMNS)
def test_equal_rows_give_equal_results_wherever_they_stand(columns, layout):
    for k in (3, 5, 8, 11, 16, 17, 65, 256):
        row, matrix = drawn(1, 1, k), layout(drawn(2, k, columns))
        expected = row_product(row.expand(2, 64, k).contiguous(), matrix)[:, :1]
        for offset in range(5):  # where in memory the rows begin
            rows = torch.empty(2 * 64 * k + offset)[offset:].view(2, 64, k).copy_(row)
            assert torch.equal(row_product(rows, matrix), expected.expand(-1, 64, -1))
            plus = row_product(rows, matrix, plus=torch.ones(2, 64, columns))
            assert torch.equal(plus, plus[:, :1].expand_as(plus))


@pytest.mark.parametrize("columns", COLUMNS)
def test_one_product_a_row_gives_the_same_at_every_place_of_a_batch(columns):
    """Each row has a matrix of its own, as the views of a row have."""
    for k in (5, 11, 16, 17, 50, 101):
        one, other = drawn(1, 7, k), drawn(1, columns, k) * 2
        found = row_product(one.repeat(64, 1, 1), other.repeat(64, 1, 1).mT)
        assert torch.equal(found, found[:1].expand_as(found))


@pytest.mark.parametrize("columns", COLUMNS)
def test_it_is_the_product_with_and_without_what_is_added_and_where_to_write(columns):
    rows, matrix, plus = drawn(3, 8, 6), drawn(3, 6, columns), drawn(3, 8, columns)
    expected = torch.bmm(rows, matrix)
    torch.testing.assert_close(row_product(rows, matrix), expected)
    torch.testing.assert_close(row_product(rows, matrix, plus=plus), expected + plus)
    single = row_product(rows[0], matrix[0], plus=plus[0, 0])
    torch.testing.assert_close(single, expected[0] + plus[0, 0])
    wide = torch.zeros(3, 8, columns + 2)
    out = wide[:, :, 1:-1]
    row_product(rows, matrix, plus=plus, out=out)
    torch.testing.assert_close(out, expected + plus)
    row_product(rows, matrix, out=out)
    torch.testing.assert_close(out, expected)
    assert not wide[:, :, [0, -1]].any()


def test_autograd_sees_through_it():
    rows, matrix = drawn(4, 6).double().requires_grad_(), drawn(6, 5).double().requires_grad_()
    assert torch.autograd.gradcheck(row_product, (rows, matrix))
