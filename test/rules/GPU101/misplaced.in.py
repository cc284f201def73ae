import torch


def restore(model, path, device):
    model.load_state_dict(torch.load(path), map_location=device)
    model.load_state_dict(
        torch.load(path),
        map_location="cpu",
        strict=False,
    )
    return torch.load(path, "rb")


def restore_open(path):
    with open(path, "rb") as stream:
        return torch.load(stream, map_location="r", weights_only=True)
