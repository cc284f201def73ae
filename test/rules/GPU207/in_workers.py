"""What workers run cannot use CUDA once the program has."""
import torch
from torch.utils.data import DataLoader, Dataset


class Images(Dataset):
    def __getitem__(self, index):
        return torch.zeros(3, index).cuda()  #: GPU207

    def __len__(self):
        return 8


class Named(Dataset):
    def __getitem__(self, index):
        x = torch.zeros(3, index)
        return x.to("cuda")  #: GPU207


def collate(items):
    return torch.stack(items).to("cuda:0")  #: GPU207


loader = DataLoader(Images(), batch_size=4, num_workers=2)
named = Named()
other = DataLoader(named, num_workers=4, collate_fn=collate)
