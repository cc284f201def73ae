"""Without workers the program itself runs it, and data sets of the CPU may have as many as they like."""
import torch
from torch.utils.data import DataLoader, Dataset


class OnGpu(Dataset):
    def __getitem__(self, index):
        return torch.zeros(3, index).cuda()


class OnCpu(Dataset):
    def __getitem__(self, index):
        return torch.zeros(3, index).to(torch.float16)


def load(args):
    first = DataLoader(OnGpu(), batch_size=4)
    second = DataLoader(OnGpu(), num_workers=0)
    third = DataLoader(OnGpu(), num_workers=args.workers)
    for batch in DataLoader(OnCpu(), num_workers=4):
        print(batch.cuda())
    return first, second, third, DataLoader(OnGpu(), num_workers=2, multiprocessing_context="spawn")
