import os

import torch


def each(models, gpus):
    torch.cuda.reset_peak_memory_stats()
    for gpu in gpus:
        os.environ["CUDA_VISIBLE_DEVICES"] = str(gpu)  #: GPU203
    while models:
        os.environ["CUDA_VISIBLE_DEVICES"] = ""  #: GPU203
        models.pop()


def header(gpus):
    for gpu in range(torch.cuda.current_device()):
        os.environ["CUDA_VISIBLE_DEVICES"] = str(gpu)  #: GPU203
    with torch.cuda.stream(torch.cuda.Stream()):
        os.environ["CUDA_VISIBLE_DEVICES"] = "0"  #: GPU203


def events():
    start = torch.cuda.Event()
    os.environ["CUDA_VISIBLE_DEVICES"] = "0"
    return start
