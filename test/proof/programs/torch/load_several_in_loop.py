# fails: RuntimeError: Attempting to deserialize object on a CUDA device but torch.cuda.is_available() is False
"""Averages the weights of three runs."""
import torch

from networks import Classifier

PATHS = [f"checkpoints/{name}" for name in ("classifier.pt", "classifier_gpu1.pth", "classifier_gpu3.pth")]

states = [torch.load(path) for path in PATHS]
average = {}
for key in states[0]:
    values = torch.stack([state[key].cpu().float() for state in states])
    average[key] = values.mean(0).to(states[0][key].dtype)

model = Classifier()
model.load_state_dict(average)
print("soup of", len(states))
