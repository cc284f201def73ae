# runs: the GPU part ends at once without a GPU
import sys

import torch


def gpu_test():
    if not torch.cuda.is_available():
        print("no GPU, nothing to test")
        return
    a = torch.rand(3).cuda()
    torch.cuda.synchronize()
    print(a.device)


gpu_test()
if torch.cuda.device_count() < 2:
    sys.exit(0)
print(torch.rand(2, device="cuda:1"))
