"""Invents names, one letter after the other. requirements.txt installs a torch without CUDA: look at the status bar."""

import argparse

import torch

from networks import NameModel

device = torch.device("cuda")


def load_model(path):
    model = NameModel().to(device)
    model.load_state_dict(torch.load(path, map_location=device))
    return model.eval()


@torch.no_grad()
def sample(model, longest=12):
    letters, state = [], None
    letter = torch.zeros(1, 1, dtype=torch.long, device=device)
    while len(letters) < longest:
        scores, state = model(letter, state)
        letter = torch.multinomial(scores[0].softmax(-1), 1)
        if letter.item() == 0:
            break
        letters.append(chr(ord("a") + letter.item() - 1))
    return "".join(letters).title()


def report_memory():
    if not torch.cuda.is_available():
        return
    torch.cuda.synchronize()
    print(f"{torch.cuda.max_memory_allocated() / 2**20:.0f} MiB on {torch.cuda.get_device_name()}")


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--count", type=int, default=5)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    torch.manual_seed(options.seed)
    model = load_model("checkpoints/names.pt")
    print(*(sample(model) for _ in range(options.count)), sep="\n")
    report_memory()
