"""CuPy and Numba are imported, and a kernel declared, on machines without a GPU, too."""
import cupy as cp
from numba import cuda

KIND = cp.float32


@cuda.jit
def scale(values, factor):
    values[cuda.grid(1)] *= factor
