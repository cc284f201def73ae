import os

import torch


def choose(gpu):
    os.environ["CUDA_VISIBLE_DEVICES"] = str(gpu)


choose(0)
print(torch.cuda.get_device_properties(0))
choose(1)
