"""Everything between the two matrix products of a step, as one CUDA kernel.

On a GPU a step of one small network is about forty launches with a microsecond of work each. This
kernel computes bias, LeakyReLU, the output layer, the loss and all their derivatives at once, and
reads the activations once. Tests hold it to `network` and `loss`, which are used if the kernel
cannot be compiled.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from functools import cache

import torch
from torch import Tensor

from slad.detectors.slad.loss import Loss
from slad.detectors.slad.network import SLOPE

LARGEST_GROUP = 32
SLICES = 8
COLUMNS = 128

Head = Callable[[dict[str, Tensor], Tensor, Tensor, Tensor, Tensor, Tensor], Tensor]

# One block: some whole samples of one member, a thread for each of their representations
# (columns), eight slices of the hidden units. Sums over a group are taken by each of its threads
# in the same order, so the result is the same to the bit in every run.
SOURCE = r"""
#define SLOPE %(slope)sf
#define SLICES %(slices)d
#define COLUMNS %(columns)d
#define TINY 1.17549435e-38f
#define OVER_GROUP(result, term) \
    float result = 0.f; for (int i = 0; i < c; ++i) { result += (term); }

__device__ float xlogx(float x) { return x > 0.f ? x * logf(x) : 0.f; }

extern "C" __global__ void head(
    const float* hidden, const float* output, const float* bias, const float* targets,
    const long long* places, const float* weight, float* slopes, float* losses,
    int has_bias, int stride, int units, int samples, int c, int tile)
{
    __shared__ float partial[SLICES][COLUMNS];
    __shared__ float p[COLUMNS], y[COLUMNS], q[COLUMNS], t[COLUMNS];
    const int member = blockIdx.y, column = threadIdx.x, slice = threadIdx.y;
    const int n = samples * c, column0 = blockIdx.x * tile * c;
    const int at = column0 + column;
    const bool inside = column < tile * c && at < n;
    const float* mine = hidden + (size_t)member * units * n;
    float* my_slopes = slopes + (size_t)member * units * n;
    output += (size_t)member * stride;
    bias += (size_t)member * stride;

    float sum = 0.f;
    if (inside) {
        #pragma unroll 4
        for (int u = slice; u < units; u += SLICES) {
            float a = mine[(size_t)u * n + at] + (has_bias ? bias[u] : 0.f);
            sum += output[u] * (a > 0.f ? a : SLOPE * a);
        }
    }
    partial[slice][column] = sum;
    if (slice == 0 && inside) {
        y[column] = targets[places[(size_t)member * samples + at / c] * c + at %% c];
    }
    __syncthreads();
    if (slice == 0) {
        float total = 0.f;
        for (int s = 0; s < SLICES; ++s) total += partial[s][column];
        p[column] = total;
    }
    __syncthreads();

    // From here on slice 0 works on the loss; `g` points at the thread's group.
    const int g = column / c * c;
    float by_scale = 0.f;
    if (slice == 0 && inside) {
        float top = p[g];
        for (int i = 1; i < c; ++i) top = fmaxf(top, p[g + i]);
        OVER_GROUP(mass, expf(p[g + i] - top));
        t[column] = p[column] - top - logf(mass);  // log softmax
        q[column] = expf(t[column]);               // softmax
    }
    __syncthreads();
    float value = 0.f;
    if (slice == 0 && inside) {
        const float log_q = t[column], mine_q = q[column], mine_y = y[column];
        %(loss)s
        partial[0][column] = value;
        partial[1][column] = by_scale;
    }
    __syncthreads();
    if (slice == 0 && inside) {
        const float w = weight[(size_t)member * samples + at / c];
        if (%(through_softmax)d) {
            OVER_GROUP(mean, q[g + i] * partial[1][g + i]);
            by_scale = q[column] * (by_scale - mean);
        }
        if (column == g) {
            OVER_GROUP(loss, partial[0][g + i]);
            losses[(size_t)member * samples + at / c] = loss * w;
        }
        p[column] = by_scale * w;
    }
    __syncthreads();
    if (inside) {
        by_scale = p[column];
        #pragma unroll 4
        for (int u = slice; u < units; u += SLICES) {
            float a = mine[(size_t)u * n + at] + (has_bias ? bias[u] : 0.f);
            my_slopes[(size_t)u * n + at] = a > 0.f ? by_scale : SLOPE * by_scale;
        }
    }
}
"""

# `value`: the thread's term of the loss. `by_scale`: the derivative by its probability, or by its
# scale where that is simpler (KL).
LOSS_SOURCE = {
    "jensen_shannon": """
        const float log_middle = logf(fmaxf(mine_q + mine_y, TINY)) - 0.69314718056f;
        by_scale = 0.5f * (log_q - log_middle);
        value = 0.5f * (mine_q * (log_q - log_middle) + xlogx(mine_y) - mine_y * log_middle);
    """,
    "released": """
        OVER_GROUP(mass_q, expf(q[g + i]));
        OVER_GROUP(mass_y, expf(y[g + i]));
        const float middle = fmaxf(0.5f * (mine_q + mine_y), TINY);
        const float again = mine_q - logf(mass_q);
        const float excess = logf(middle) - 0.5f * (again + mine_y - logf(mass_y));
        by_scale = excess - middle + expf(again);
        value = 2.f * middle * excess;
    """,
    "kl": """
        by_scale = mine_q - mine_y;
        value = xlogx(mine_y) - mine_y * log_q;
    """,
}


@cache
def _compiled(name: str) -> Callable[..., None] | None:
    source = SOURCE % {
        "slope": SLOPE,
        "slices": SLICES,
        "columns": COLUMNS,
        "loss": LOSS_SOURCE[name],
        "through_softmax": name != "kl",
    }
    try:
        return torch.cuda._compile_kernel(source, "head")  # type: ignore[no-any-return]
    except Exception as error:  # an older torch, or no run-time compiler: slower, not wrong
        warnings.warn(f"slad trains without its fused GPU kernel: {error}", stacklevel=2)
        return None


def fused_head(loss: Loss, group_size: int, device: torch.device) -> Head | None:
    """The kernel of a loss, or None if it does not apply."""
    if device.type != "cuda" or group_size > LARGEST_GROUP or loss.name not in LOSS_SOURCE:
        return None
    with torch.cuda.device(device):
        kernel = _compiled(loss.name)
    if kernel is None:
        return None
    tile = COLUMNS // group_size

    def head(
        weights: dict[str, Tensor],
        hidden: Tensor,
        targets: Tensor,
        places: Tensor,
        weight: Tensor,
        slopes: Tensor,
    ) -> Tensor:
        members, samples = weight.shape
        losses = torch.empty(members, samples, device=device)
        output = weights["output"]
        bias = weights.get("bias", output)
        assert all(part.is_contiguous() for part in (hidden, targets, slopes))
        kernel(
            grid=(-(-samples // tile), members, 1),
            block=(COLUMNS, SLICES, 1),
            args=[
                hidden,
                output,
                bias,
                targets,
                places,
                weight.contiguous(),
                slopes,
                losses,
                int("bias" in weights),
                output.stride(0),
                hidden.shape[1],
                samples,
                group_size,
                tile,
            ],
        )
        return losses

    return head
