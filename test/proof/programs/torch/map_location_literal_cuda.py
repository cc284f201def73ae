# fails: RuntimeError: Attempting to deserialize object on a CUDA device but torch.cuda.is_available() is False
"""Fine-tunes only the head of a network from the cluster."""
import torch
from torch import nn

from networks import Classifier

pretrained = torch.load("checkpoints/classifier.pt", map_location="cuda")
model = Classifier()
model.load_state_dict(pretrained)
model.head = nn.Linear(16, 2)
model = model.to("cuda")

params = [p for p in model.head.parameters()]
opt = torch.optim.SGD(params, lr=0.1)
for step in range(3):
    x = torch.rand(6, 1, 8, 8).to("cuda")
    y = torch.randint(2, (6,)).to("cuda")
    loss = nn.functional.cross_entropy(model(x), y)
    opt.zero_grad(); loss.backward(); opt.step()
print("%.3f" % loss.item())
