"""A literal that is only the default of an option, a field or a parameter is a hint."""
import argparse
from dataclasses import dataclass, field

import click
import torch
from absl import flags

flags.DEFINE_string("device", "cuda:0", "Where to run.")  #: GPU201 hint

parser = argparse.ArgumentParser()
parser.add_argument("--device", default="cuda:0", help="cuda device, i.e. cuda:0 or cpu")  #: GPU201 hint
parser.add_argument("--teacher-device", type=str, default="cuda:1")  #: GPU201 hint
parser.add_argument("--host-device", default="cpu", help="such as cuda:1")
parser.add_argument("--eval_device", default="cuda:0" if torch.cuda.is_available() else "cpu")  #: GPU201 hint
args = parser.parse_args()


@dataclass
class Config:
    device: str = "cuda:0"  #: GPU201 hint
    teacher_device: str = field(default="cuda:1")  #: GPU201 hint
    host_device: str = "cpu"


def sample(model, noise, device="cuda:0"):  #: GPU201 hint
    return model.to(device)(noise.to(device))


def distill(model, *, teacher_device: str = "cuda:1"):  #: GPU201 hint
    return model.to(teacher_device)


def evaluate(model, device=torch.device("cuda:0")):  #: GPU201 hint
    return model.to(device)


class Sampler:
    def __init__(self, model, device: str = "cuda:0"):  #: GPU201 hint
        self.device = device
        self.model = model.to(device)

    def run(self):
        return sample(self.model, torch.ones(4), device="cuda:1")  #: GPU201


@click.command()
@click.option("--device", default="cuda:0")  #: GPU201 hint
def main(device):
    model = torch.nn.Linear(4, 2).to(device)
    return model.to("cuda:0")  #: GPU201


if __name__ == "__main__":
    sample(torch.nn.Linear(4, 2), torch.ones(4), args.device)
