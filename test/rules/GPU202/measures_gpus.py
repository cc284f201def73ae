"""How fast is a product of matrices?"""
import time

import torch


def seconds(size, device):
    x = torch.ones(size, size, device=device)
    torch.cuda.synchronize()  #: GPU202 hint
    start = time.perf_counter()
    x @ x
    torch.cuda.synchronize()  #: GPU202 hint
    return time.perf_counter() - start


if __name__ == "__main__":
    device = torch.device("cuda")  #: GPU202 hint
    for size in (256, 1024):
        print(size, seconds(size, device))
