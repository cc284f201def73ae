"""A literal that is only the default of an option, a field or a parameter is a hint."""
import argparse
from dataclasses import dataclass, field

import click
import torch
import typer
from absl import flags

FLAGS = flags.FLAGS
flags.DEFINE_string("device", "cuda", "Where to run.")  #: GPU202 hint

parser = argparse.ArgumentParser()
parser.add_argument("--device", default="cuda", help="cuda or cpu")  #: GPU202 hint
parser.add_argument("--eval-device", type=str, default="cuda", choices=["cuda", "cpu"])  #: GPU202 hint
parser.add_argument("--backend", default="cpu", choices=["cuda", "cpu"])
parser.add_argument(
    "-d",
    "--draft-device",
    default="cuda",  #: GPU202 hint
    help="device of the draft model",
)
parser.add_argument("--train-device", default="cuda" if torch.cuda.is_available() else "cpu")
args = parser.parse_args()


@dataclass
class TrainConfig:
    epochs: int = 10
    device: str = "cuda"  #: GPU202 hint
    eval_device: str = field(default="cuda")  #: GPU202 hint
    host_device: str = "cpu"
    best_device: str = "cuda" if torch.cuda.is_available() else "cpu"


def generate(model, prompt, device="cuda"):  #: GPU202 hint
    return model.to(device)(prompt.to(device))


def encode(model, batch, *, target: str = "cuda"):  #: GPU202 hint
    return model(batch.to(target))


def evaluate(model, device=torch.device("cuda")):  #: GPU202 hint
    return model.to(device)


def named_but_unused(rows, backend="cuda"):
    rows.append(backend)
    return rows


class Runner:
    def __init__(self, model, device: str = "cuda", map_location="cpu"):  #: GPU202 hint
        self.device = device
        self.model = model.to(self.device)

    def run(self, batch):
        return self.model(batch.to(self.device))


@click.command()
@click.option("--device", default="cuda", show_default=True)  #: GPU202 hint
def main(device):
    # The call below is no default: the user cannot change it.
    model = torch.nn.Linear(2, 2).to("cuda")  #: GPU202
    return model.to(device)


def serve(device: str = typer.Option("cuda", help="Where to run.")):  #: GPU202 hint
    return torch.nn.Linear(2, 2).to(device)


if __name__ == "__main__":
    model = torch.nn.Linear(4, 2).to(args.device)
    model = model.to(FLAGS.device)
    generate(model, torch.ones(4), device="cuda")  #: GPU202 same
