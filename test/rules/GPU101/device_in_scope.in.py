import torch

from model import Net


def resume(path, args):
    device = torch.device("cuda" if torch.cuda.is_available() and not args.cpu else "cpu")
    model = Net().to(device)
    model.load_state_dict(torch.load(path)["model"])
    return model


def resume_on_one_path(path, fast):
    if fast:
        device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
        print(device)
    model = Net()
    model.load_state_dict(torch.load(path)["model"])
    return model


def resume_before(path):
    model = Net()
    model.load_state_dict(torch.load(path)["model"])
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    return model.to(device)


def resume_under_another_name(path):
    dev = "cuda" if torch.cuda.is_available() else "cpu"
    return Net().load_state_dict(torch.load(path, weights_only=True))
