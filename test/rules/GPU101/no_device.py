"""A file mode is no device, and `load_state_dict` takes none."""
import torch


def modes(path, device):
    graph = torch.load(path, "rb")  #: GPU101
    text = torch.load(path, map_location="r")  #: GPU101
    gpu = torch.load(path, map_location="gpu")  #: GPU101
    upper = torch.load(path, map_location="CUDA")  #: GPU101
    first = torch.load(path, "cuda:0")
    other = torch.load(path, map_location="npu:1")
    with open(path, "rb") as stream:
        opened = torch.load(stream, device)
    return graph, text, gpu, upper, first, other, opened


class Holder:
    def load_state_dict(self, state, map_location=None):
        return state


def misplaced(model, path, device):
    model.load_state_dict(torch.load(path), map_location=device)  #: GPU101
    model.load_state_dict(torch.load(path), strict=False)  #: GPU101
    model.load_state_dict(torch.load(path, map_location=device))
    holder = Holder()
    holder.load_state_dict(torch.load(path, map_location=device), map_location=device)
