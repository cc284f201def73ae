# fails: RuntimeError: Attempting to deserialize object on a CUDA device but torch.cuda.is_available() is False
# moves: if no GPU is named, the CPU computes
"""Image features by file name, computed on the server."""
import io
from pathlib import Path

import torch

buffer = io.BytesIO(Path("checkpoints/features.pt").read_bytes())
features = torch.load(buffer)
names = sorted(features)
matrix = torch.stack([features[name] for name in names])
distances = torch.cdist(matrix, matrix)
for name, row in zip(names, distances):
    print(name, "is like", names[row.topk(2, largest=False).indices[1].item()])
