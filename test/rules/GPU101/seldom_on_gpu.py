"""Files whose tensors are on no device, or on the one that the name says."""
import io
import os
import pickle

import requests
import torch
from torch_geometric.data import InMemoryDataset


class Graphs(InMemoryDataset):
    def __init__(self, root):
        super().__init__(root)
        self.data, self.slices = torch.load(self.processed_paths[0])  #: GPU101 hint

    def process(self):
        torch.save(self.collate([]), self.processed_paths[0])


def received(tensor, reply):
    own = torch.load(io.BytesIO(tensor.cpu().numpy().tobytes()))  #: GPU101 hint
    packed = pickle.dumps(tensor)
    unpacked = torch.load(io.BytesIO(packed))  #: GPU101 hint
    foreign = torch.load(io.BytesIO(reply))  #: GPU101
    fetched = torch.load(io.BytesIO(requests.get("https://example.com/model.pt").content))  #: GPU101
    return own, unpacked, foreign, fetched


def states(folder, scheduler, scaler, optimizer, train_sampler):
    scheduler.load_state_dict(torch.load(os.path.join(folder, "scheduler.pt")))  #: GPU101 hint
    scaler.load_state_dict(torch.load(os.path.join(folder, "scaler.pt")))  #: GPU101 hint
    state = torch.load(os.path.join(folder, "sampler.pt"))  #: GPU101 hint
    train_sampler.load_state_dict(state)
    optimizer.load_state_dict(torch.load(os.path.join(folder, "optimizer.pt")))  #: GPU101


def for_each_device(folder, device, name):
    own = torch.load(f"{folder}/{device}.pt")  #: GPU101 hint
    path = os.path.join(folder, "compiled_" + str(device) + ".pt")
    also_own = torch.load(path)  #: GPU101 hint
    other = torch.load(f"{folder}/{name}.pt")  #: GPU101
    return own, also_own, other
