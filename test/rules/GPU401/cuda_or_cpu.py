"""Only CUDA is looked for."""
import argparse

import torch
import torch as th

device = "cuda" if torch.cuda.is_available() else "cpu"  #: GPU401
second = torch.device("cuda:0" if torch.cuda.is_available() else "cpu")  #: GPU401, GPU201 hint
third = torch.device("cuda") if th.cuda.is_available() else torch.device("cpu")  #: GPU401
inverse = "cpu" if not torch.cuda.is_available() else "cuda"  #: GPU401

parser = argparse.ArgumentParser()
parser.add_argument("--no-cuda", action="store_true")
args = parser.parse_args()
use_cuda = torch.cuda.is_available() and not args.no_cuda
fourth = torch.device("cuda" if use_cuda else "cpu")  #: GPU401


def choose():
    if torch.cuda.is_available():
        chosen = torch.device("cuda")  #: GPU401
    else:
        chosen = torch.device("cpu")
    return chosen
