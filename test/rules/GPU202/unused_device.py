import torch


def describe(model):
    device = torch.device("cuda")  #: GPU202 hint
    return str(model)


def move(model):
    device = torch.device("cuda")  #: GPU202
    return model.to(device)


def closed_over(model):
    device = torch.device("cuda")  #: GPU202 same

    def forward(x):
        return model(x.to(device))

    return forward


def rebound(model):
    device = torch.device("cpu")
    device = torch.device("cuda")  #: GPU202 same
    return model.to(device)


DEVICE = torch.device("cuda")  #: GPU202 same
