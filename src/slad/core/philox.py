"""The numbers of `seeds.uniform`, drawn on the device that needs them.

The maps of a wide table are gigabytes of random numbers. On a GPU one kernel draws them in place,
equal to the bit to numpy's Philox. If the kernel cannot be compiled, the CPU draws and copies
them.
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable
from functools import cache

import torch
from torch import Tensor

from slad.core.seeds import uniform
from slad.core.typing import Float

THREADS = 256

# Philox4x64-10 (Salmon et al., 2011), counting as numpy does: from 1, the stream in the second
# word of the counter. A thread draws the 256 bits of one counter: eight numbers.
SOURCE = r"""
extern "C" __global__ void uniform(
    float* out, int size, unsigned k0, unsigned k1, unsigned k2, unsigned k3, unsigned stream)
{
    unsigned long long key0 = k0 | (unsigned long long)k1 << 32;
    unsigned long long key1 = k2 | (unsigned long long)k3 << 32;
    const unsigned long long M0 = 0xD2E7470EE14C6C93ULL, M1 = 0xCA5A826395121157ULL;
    const long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x;
    if (8 * i >= size) { return; }
    unsigned long long c[4] = {(unsigned long long)i + 1, stream, 0, 0};
    for (int round = 0; round < 10; ++round) {
        const unsigned long long high0 = __umul64hi(M0, c[0]), low0 = M0 * c[0];
        const unsigned long long high1 = __umul64hi(M1, c[2]), low1 = M1 * c[2];
        c[0] = high1 ^ c[1] ^ key0; c[1] = low1;
        c[2] = high0 ^ c[3] ^ key1; c[3] = low0;
        key0 += 0x9E3779B97F4A7C15ULL; key1 += 0xBB67AE8584CAA73BULL;
    }
    for (int j = 0; j < 8 && 8 * i + j < size; ++j) {
        const unsigned int bits = (unsigned int)(c[j / 2] >> (32 * (j % 2)));
        out[8 * i + j] = (float)(bits >> 8) * 1.1920928955078125e-07f - 1.f;
    }
}
"""


@cache
def _compiled() -> Callable[..., None] | None:
    try:
        return torch.cuda._compile_kernel(SOURCE, "uniform")  # type: ignore[no-any-return]
    except Exception as error:  # an older torch, or no run-time compiler: slower, not wrong
        warnings.warn(f"slad draws its maps without a GPU kernel: {error}", stacklevel=2)
        return None


def uniform_on(
    device: torch.device, key: int, size: int, stream: int = 0
) -> Float[Tensor, " size"]:
    """`uniform(key, size, stream)` on a GPU."""
    with torch.cuda.device(device):
        kernel = _compiled()
        if kernel is None or size >= 2**31:
            return torch.from_numpy(uniform(key, size, stream)).to(device)
        out = torch.empty(size, device=device)
        words = [key >> shift & 0xFFFFFFFF for shift in (0, 32, 64, 96)]
        blocks = -(-size // (8 * THREADS))
        kernel(grid=(blocks, 1, 1), block=(THREADS, 1, 1), args=[out, size, *words, stream])
    return out


def normal_on(device: torch.device, key: int, size: int, stream: int = 0) -> Float[Tensor, " size"]:
    """`size` standard normal numbers, by the method of Box and Muller (1958)."""
    half = (size + 1) // 2
    if device.type == "cuda":
        drawn = uniform_on(device, key, 2 * half, stream)
    else:
        drawn = torch.from_numpy(uniform(key, 2 * half, stream))
    length, angle = drawn.view(2, half)
    length = length.mul_(-0.5).add_(0.5).log_().mul_(-2).sqrt_()  # of 1 - u: never log(0)
    angle = angle.mul_(math.pi)
    return torch.cat([length * angle.cos(), length * angle.sin()])[:size]
