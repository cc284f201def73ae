"""Without facts about a machine nothing is known of its GPUs."""
import torch

model = torch.nn.Linear(2, 2).to("cuda:1")  #: GPU201
torch.cuda.set_device(7)  #: GPU201
