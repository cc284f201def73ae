# fails: RuntimeError: Attempting to deserialize object on a CUDA device but torch.cuda.is_available() is False
"""The pickled model comes back on the GPU, and so the images are sent there too."""
import torch

model = torch.load("checkpoints/whole_classifier.pth")
model.eval()
for batch in torch.rand(2, 3, 1, 8, 8):
    print(model(batch.cuda()).argmax(1).tolist())
