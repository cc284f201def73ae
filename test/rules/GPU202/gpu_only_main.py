"""What `main` always does, the program always does."""
import torch
from torch.utils.cpp_extension import load


def main():
    kernel = load(name="scan", sources=["scan.cpp", "scan.cu"])
    print(run(kernel, torch.ones(8)))


def run(kernel, x):
    return kernel.scan(x.cuda())  #: GPU202 hint


if __name__ == "__main__":
    main()
