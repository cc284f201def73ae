#: facts {"visibleGpus": {"count": 1, "names": "RTX 3090"}}
"""What the user, or the name of the machine, decides."""
import argparse
import os
import socket

import torch

parser = argparse.ArgumentParser()
parser.add_argument("--device", default="cuda:1")  #: GPU201 hint
parser.add_argument("--gpu", type=int, default=0)
parser.add_argument("--multi-gpu", action="store_true")
parser.add_argument("--second", action="store_true")
args = parser.parse_args()

model = torch.nn.Linear(2, 2)
if args.gpu == 1:
    model.to("cuda:1")  #: GPU201
if args.multi_gpu:
    model.to("cuda:1")  #: GPU201 hint
if socket.gethostname().startswith("dgx"):
    model.to("cuda:7")  #: GPU201
if os.environ.get("BIG"):
    model.to("cuda:7")  #: GPU201 hint
device = "cuda:1" if args.second else "cuda:0"  #: GPU201 hint, GPU201
model.to(device)
model.to(args.device)


def run(model, device="cuda:2"):  #: GPU201 hint
    model.to(device)
