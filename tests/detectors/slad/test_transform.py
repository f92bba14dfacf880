from __future__ import annotations

import numpy as np
import pytest
import torch
from torch import Tensor

from slad.core.errors import ResourceError
from slad.core.rows import DenseRows
from slad.core.seeds import Streams
from slad.detectors.slad import transform
from slad.detectors.slad.subspaces import sample_subspaces
from slad.detectors.slad.transform import TRANSFORMS, AffineMaps, make_maps

KINDS = list(TRANSFORMS)
DRAWN = ["affine", "linear_per_length", "random_mlp", "random_mlp_per_length"]
WIDTH = 16


def some_maps(kind: str, d: int = 9, seed: int = 0, **options) -> AffineMaps:
    subspaces = sample_subspaces(
        d, n_groups=3, group_size=4, rng=np.random.default_rng(0), **options
    )
    return make_maps(kind, subspaces, WIDTH, Streams(seed))


def normal(*shape: int) -> Tensor:
    return torch.randn(shape, generator=torch.Generator().manual_seed(0))


def lifted(maps: AffineMaps, x: Tensor) -> Tensor:
    """rows x subspaces x width, the way training and scoring make it."""
    result = torch.full((len(x), len(maps.subspaces), maps.width), torch.nan)
    for lift in maps.lifts():
        places = slice(lift.first, lift.first + lift.size)
        whole = DenseRows(x).times(lift.matrix, lift.features) + lift.bias
        assert result[:, places].isnan().all(), "a subspace came twice"
        result[:, places] = maps.finish(lift.first, whole.unflatten(1, (lift.size, -1)))
    return result


@pytest.fixture(params=[True, False], ids=["kept", "drawn again"])
def keep(request, monkeypatch) -> bool:
    if not request.param:
        monkeypatch.setattr(transform, "KEEP_BYTES", 0)
    return request.param


@pytest.mark.usefixtures("keep")
@pytest.mark.parametrize("replace_up_to", [0, 10], ids=["subsets", "with repeats"])
@pytest.mark.parametrize("kind", ["affine", "linear_per_length", "zero_padding"])
def test_a_lift_does_what_gathering_the_subvector_and_multiplying_does(kind, replace_up_to):
    maps, x = some_maps(kind, replace_up_to=replace_up_to), normal(5, 9)
    result = lifted(maps, x)
    for index in range(len(maps.subspaces)):
        weights = torch.from_numpy(maps.weights(index))
        gathered = x[:, maps.subspaces[index].astype(np.int64)] @ weights[:-1] + weights[-1]
        torch.testing.assert_close(result[:, index], gathered)


@pytest.mark.usefixtures("keep")
@pytest.mark.parametrize(
    ("first_layer", "kind"),
    [("affine", "random_mlp"), ("linear_per_length", "random_mlp_per_length")],
)
def test_random_mlp_puts_a_second_random_layer_behind_a_leaky_relu(first_layer, kind):
    first, mlp = some_maps(first_layer), some_maps(kind)
    assert not mlp.is_linear
    hidden, result = lifted(first, normal(40, 9)), lifted(mlp, normal(40, 9)).double()

    def left_over(inputs: Tensor, outputs: Tensor) -> float:
        inputs = torch.cat([inputs, torch.ones(40, 1)], 1).double()
        return (inputs @ torch.linalg.lstsq(inputs, outputs).solution - outputs).abs().max().item()

    for index in range(len(mlp.subspaces)):
        bent = torch.nn.functional.leaky_relu(hidden[:, index])
        assert left_over(bent, result[:, index]) < 1e-5
        assert left_over(normal(40, 9), result[:, index]) > 1e-2


@pytest.mark.parametrize("kind", KINDS)
def test_maps_drawn_again_lift_as_kept_ones_every_time(kind, monkeypatch):
    x = normal(5, 9)
    kept = lifted(some_maps(kind), x)
    monkeypatch.setattr(transform, "KEEP_BYTES", 0)
    maps = some_maps(kind)
    for _ in range(2):
        torch.testing.assert_close(lifted(maps, x), kept)


@pytest.mark.parametrize("kind", DRAWN)
def test_maps_are_a_function_of_the_seed(kind):
    x = normal(5, 9)
    first = lifted(some_maps(kind), x)
    assert torch.equal(first, lifted(some_maps(kind), x))
    assert not torch.allclose(first, lifted(some_maps(kind, seed=1), x), atol=0.1)


@pytest.mark.parametrize("kind", DRAWN)
def test_weights_fill_one_over_root_length_and_no_more(kind):
    maps = some_maps(kind, d=50)
    for index, length in enumerate(maps.subspaces.lengths):
        bound = 1 / np.sqrt(length)
        largest = np.abs(maps.weights(index)).max()
        assert 0.8 * bound < largest <= bound * (1 + 1e-6)


def test_weights_are_centred_and_uniform():
    maps = some_maps("affine", d=200)
    longest = int(np.argmax(maps.subspaces.lengths))
    scaled = maps.weights(longest) * maps.subspaces.lengths[longest] ** 0.5
    assert abs(scaled.mean()) < 0.05
    assert abs(scaled.std() - 3**-0.5) < 0.03


@pytest.mark.parametrize("kind", ["linear_per_length", "random_mlp_per_length"])
def test_maps_per_length_share_weights_by_length_and_have_no_bias(kind):
    maps = some_maps(kind, d=3)
    by_length = {}
    for index, length in enumerate(maps.subspaces.lengths):
        weights = maps.weights(index)
        assert not weights[-1].any()
        np.testing.assert_array_equal(by_length.setdefault(length, weights), weights)
    assert not lifted(maps, torch.zeros(2, 3)).any()
    of_whole_rows = np.flatnonzero(maps.subspaces.lengths == 3)
    results = lifted(maps, torch.ones(1, 3))[0, of_whole_rows]
    assert len(results) > 1
    torch.testing.assert_close(results, results[:1].expand_as(results))


def test_affine_maps_share_nothing_and_have_a_bias():
    maps = some_maps("affine", d=1)
    drawn = np.stack([maps.weights(index) for index in range(len(maps.subspaces))])
    assert len(np.unique(drawn[:, 0], axis=0)) == len(drawn)
    assert len(np.unique(drawn[:, 1], axis=0)) == len(drawn)
    assert lifted(maps, torch.zeros(2, 1)).any()


def test_zero_padding_is_the_subvector_followed_by_zeros():
    maps = some_maps("zero_padding")
    x = torch.arange(1.0, 10.0)[None]
    for index, result in enumerate(lifted(maps, x)[0]):
        features = maps.subspaces[index].astype(np.int64)
        assert torch.equal(result[: len(features)], x[0, features])
        assert not result[len(features) :].any()


def test_zero_padding_refuses_tables_its_network_cannot_follow():
    with pytest.raises(ResourceError, match=r"zero_padding.*50000 features.*10\.0 GB"):
        some_maps("zero_padding", d=50_000)
