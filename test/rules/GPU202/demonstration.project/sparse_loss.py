"""Others import this module; the lines at its end run only when somebody starts it."""
import torch


def sparse_loss(guess, truth):
    return (guess - truth).abs().mean()


if __name__ == "__main__":
    guess = torch.rand(4, requires_grad=True)
    print(sparse_loss(guess.cuda(), torch.rand(4).cuda()))  #: GPU202 hint, GPU202 hint
