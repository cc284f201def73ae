# fails: RuntimeError: Attempting to deserialize object on a CUDA device but torch.cuda.is_available() is False
"""Predicts with a model that was pickled whole."""
import torch

import networks  # noqa: F401  (the pickle needs its classes)

model = torch.load("checkpoints/whole_classifier.pth")
model.eval()

device = next(model.parameters()).device
images = torch.linspace(0, 1, 3 * 64).reshape(3, 1, 8, 8).to(device)
with torch.no_grad():
    scores = torch.softmax(model(images), dim=1)
for n, row in enumerate(scores):
    print(f"image {n}: class {row.argmax().item()} ({row.max().item():.0%})")
