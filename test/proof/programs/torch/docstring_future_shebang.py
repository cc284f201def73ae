#!/usr/bin/env python3
# -*- coding: utf-8 -*-
# fails: AssertionError: Torch not compiled with CUDA enabled
"""A file with everything that may stand before its imports.

Usage: python docstring_future_shebang.py
"""
from __future__ import annotations

__author__ = "someone"

import sys

if sys.version_info < (3, 6):
    sys.exit("Python 3.6 or newer, please")

try:
    import torch
    from torch import nn
except ImportError:
    print("install PyTorch first", file=sys.stderr)
    raise


def main() -> None:
    layer: nn.Module = nn.Linear(2, 2).cuda()
    print(layer(torch.ones(1, 2).cuda()).shape, "größer als 0 µs 🎉")


if __name__ == "__main__":
    main()
