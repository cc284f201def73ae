"""Wherever an expression may stand, a call in it is a call."""
import argparse
import glob

import torch
from torch import nn

parser = argparse.ArgumentParser(description="Average checkpoints. Each is read with torch.load(path).")
parser.add_argument("--inputs", nargs="+", help="files that torch.load(f) can read")
args = parser.parse_args()

states = [torch.load(path) for path in args.inputs]  #: GPU101
by_name = {path: torch.load(path)["model"] for path in glob.glob("*.pt")}  #: GPU101
largest = max((torch.load(path) for path in args.inputs), key=len)  #: GPU101
read = lambda path: torch.load(path)  #: GPU101
print(f"epoch {torch.load(args.inputs[0])['epoch']}")  #: GPU101
print("torch.load('weights.pt') failed")
if (first := torch.load(args.inputs[0])):  #: GPU101
    print(first.keys())
with open(args.inputs[0], "rb") as stream:
    from_stream = torch.load(stream)  #: GPU101
assert torch.load(args.inputs[0])["epoch"] > 0  #: GPU101
epoch = torch.load(args.inputs[0]).get("epoch", 0); print(epoch)  #: GPU101


class Backbone(nn.Module):
    """Loads its weights with torch.load(path) when a path is given."""

    def __init__(self, path=None):
        super().__init__()
        self.layer = nn.Linear(8, 8)
        if path:
            self.load_state_dict(torch.load(path)["state_dict"], strict=False)  #: GPU101

    @classmethod
    def pretrained(cls, path):
        model = cls()
        # model = torch.load(path)
        model.load_state_dict(torch.load(path))  #: GPU101
        return model

    @torch.no_grad()
    async def reload(self, path):
        state = torch.load(path)  #: GPU101
        self.load_state_dict(state)


def lines(paths):
    for path in paths:
        yield torch.load(path)  #: GPU101
    return torch.load(paths[0])  #: GPU101


def explain(error):
    if "torch.load" in str(error):
        raise SystemExit("""Use torch.load(path, map_location="cpu").

        >>> torch.load("weights.pt")
        """)
