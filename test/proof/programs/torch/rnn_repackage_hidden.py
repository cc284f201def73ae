# fails: AssertionError: Torch not compiled with CUDA enabled
"""Language modelling with hidden states carried over batches."""
import math

import torch

from networks import LanguageModel

model = LanguageModel().to("cuda")
model.load_state_dict(torch.load("checkpoints/language.pt"))


def repackage(hidden):
    if isinstance(hidden, torch.Tensor):
        return hidden.detach()
    return tuple(repackage(h) for h in hidden)


hidden = (torch.zeros(1, 3, 12, device="cuda"), torch.zeros(1, 3, 12, device="cuda"))
total = 0.0
for _ in range(3):
    tokens = torch.randint(30, (3, 7)).to("cuda")
    hidden = repackage(hidden)
    scores, hidden = model(tokens[:, :-1], hidden)
    total += torch.nn.functional.cross_entropy(scores.reshape(-1, 30), tokens[:, 1:].reshape(-1)).item()
print("perplexity %.1f" % math.exp(total / 3))
