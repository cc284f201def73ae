"""Measures how well the sound encoder tells speakers apart. Written in the lab, where GPU 0 is always taken."""

import torch

from networks import Encoder


def load_encoder(path):
    encoder = Encoder()
    encoder.load_state_dict(torch.load(path, map_location="cuda:1"))
    return encoder.eval().to("cuda:1")


def load_encoder_anywhere(path):
    """The same for a machine with any number of GPUs."""
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    encoder = Encoder()
    encoder.load_state_dict(torch.load(path, map_location={"cuda:1": str(device)}))
    return encoder.eval().to(device)


def recordings(speakers=8, takes=5):
    """One row of filter-bank values for each take of each speaker."""
    generator = torch.Generator().manual_seed(0)
    voices = torch.randn(speakers, 1, 40, generator=generator)
    return voices + 0.3 * torch.randn(speakers, takes, 40, generator=generator)


@torch.no_grad()
def accuracy(encoder, frames):
    """The share of takes whose nearest other take is of the same speaker."""
    device = next(encoder.parameters()).device
    if device.type != "cpu":
        print(f"Using {torch.cuda.get_device_name(device)}")
    points = encoder(frames.flatten(0, 1).to(device))
    speakers = torch.arange(frames.shape[0]).repeat_interleave(frames.shape[1]).to(device)
    likeness = points @ points.T
    likeness.fill_diagonal_(-1)
    return (speakers[likeness.argmax(dim=1)] == speakers).float().mean().item()


if __name__ == "__main__":
    encoder = load_encoder("checkpoints/encoder.pt")
    print(f"Accuracy: {accuracy(encoder, recordings()):.1%}")
