# fails: RuntimeError: Attempting to deserialize object on a CUDA device but torch.cuda.is_available() is False
"""A checkpoint of PyTorch 1.5 and older, which was no zip file."""
from torch import load, no_grad, ones

from networks import Classifier

weights = load("checkpoints/classifier_old_format.pth")
model = Classifier()
missing = model.load_state_dict(weights)
print(missing)
with no_grad():
    print(model.eval()(ones(1, 1, 8, 8)))
