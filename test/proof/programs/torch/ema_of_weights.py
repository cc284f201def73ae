# fails: RuntimeError: Attempting to deserialize object on a CUDA device but torch.cuda.is_available() is False
"""Evaluates the moving average of the weights."""
import torch

from networks import Classifier


class EMA:
    def __init__(self, model, decay=0.999):
        self.decay = decay
        self.shadow = {name: p.detach().clone() for name, p in model.state_dict().items()}

    def load_state_dict(self, state):
        self.decay = state["decay"]
        self.shadow = state["shadow"]

    def apply_to(self, model):
        model.load_state_dict(self.shadow)


model = Classifier()
ema = EMA(model)
checkpoint = torch.load("checkpoints/ema.ckpt")
ema.load_state_dict(checkpoint["ema"])
ema.apply_to(model)
print("after", checkpoint["steps"], "steps:", model.eval()(torch.rand(1, 1, 8, 8)).tolist())
