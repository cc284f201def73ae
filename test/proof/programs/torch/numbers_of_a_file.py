# fails: AssertionError: Torch not compiled with CUDA enabled
"""Columns and rows are numbers, which have no device."""
import json

import torch


def tiles(columns, rows):
    glaze = torch.rand(rows, columns, device="cuda")
    for _ in range(3):
        glaze = glaze + torch.randn(rows, columns, device="cuda")[:rows]
    return glaze[:, : columns // 2].mean(1)


size = json.loads('{"columns": 6, "rows": 4}')
print(tiles(size["columns"], size["rows"]).shape)
