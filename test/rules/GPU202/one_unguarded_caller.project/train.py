import torch

from model import build, move, wrap


def main():
    assert torch.cuda.is_available()
    build()
    move(torch.zeros(2))
    wrap()


main()
