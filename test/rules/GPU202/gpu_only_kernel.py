"""A program around a kernel of its own; what one class alone uses speaks for that class."""
import torch
import triton
import triton.language as tl


@triton.jit
def add_kernel(x, y, out, n, block: tl.constexpr):
    offsets = tl.program_id(0) * block + tl.arange(0, block)
    tl.store(out + offsets, tl.load(x + offsets) + tl.load(y + offsets), offsets < n)


def add(x, y):
    out = torch.empty_like(x, device="cuda")  #: GPU202 hint
    add_kernel[(1,)](x, y, out, out.numel(), 128)
    return out
