#: facts {"torchVersion": "2.9.0"}
import argparse

import torch

torch.serialization.add_safe_globals([argparse.Namespace])
a = torch.load("torch/namespace.pt", map_location="cpu")
