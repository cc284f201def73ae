# fails: RuntimeError: Attempting to deserialize object on a CUDA device but torch.cuda.is_available() is False
"""Arguments beside the path."""
import pickle

import torch

data, labels = torch.load("checkpoints/dataset.pt", None, pickle)
weights = torch.zeros(6, device=data.device, requires_grad=True)
for _ in range(20):
    loss = torch.nn.functional.binary_cross_entropy_with_logits(data @ weights, labels.float())
    (gradient,) = torch.autograd.grad(loss, weights)
    weights = (weights - 0.5 * gradient).detach().requires_grad_()
print("%.4f" % loss)
