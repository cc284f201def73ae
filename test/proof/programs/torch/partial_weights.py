# fails: RuntimeError: Attempting to deserialize object on a CUDA device but torch.cuda.is_available() is False
"""Takes what fits from another model's checkpoint."""
import torch as T

from networks import Classifier

model = Classifier(classes=9)
own = model.state_dict()
pretrained = T.load(f='checkpoints/classifier.pt')
fitting = {k: v for k, v in pretrained.items() if k in own and v.shape == own[k].shape}
own.update(fitting)
model.load_state_dict(own)
print(f"{len(fitting)} of {len(own)} tensors")
