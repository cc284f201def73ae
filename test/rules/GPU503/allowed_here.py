#: facts {"torchVersion": "2.9.0"}
import argparse

import torch

with torch.serialization.safe_globals([argparse.Namespace]):
    a = torch.load("torch/namespace.pt", map_location="cpu", weights_only=True)
