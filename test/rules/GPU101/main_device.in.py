import torch


def load(path):
    return net.load_state_dict(torch.load(path))


if __name__ == "__main__":
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    print(load("net.pt"), net.load_state_dict(torch.load("last.pt")))
