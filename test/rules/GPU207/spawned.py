"""Workers that are spawned start CUDA for themselves."""
import torch
from torch.utils.data import DataLoader, Dataset

torch.multiprocessing.set_start_method("spawn")


class OnGpu(Dataset):
    def __getitem__(self, index):
        return torch.zeros(3, index).cuda()


loader = DataLoader(OnGpu(), num_workers=2)
