# fails: RuntimeError: Attempting to deserialize object on a CUDA device but torch.cuda.is_available() is False
# offered: it names the second GPU
"""The lab's machine has eight GPUs, and the model was trained on the second."""
import sys

import torch
import torch.nn.functional as F

from networks import Classifier


def load_model(path):
    print("Loading", path)
    model = torch.load(path, map_location="cuda:1")
    assert isinstance(model, Classifier)
    for parameter in model.parameters():
        parameter.requires_grad = False
    return model.eval()


def main(path="checkpoints/whole_classifier_gpu1.pth"):
    model = load_model(path)
    batch = torch.rand(2, 1, 8, 8).to("cuda:1")
    print(F.softmax(model(batch), dim=1).cpu().numpy().round(2))


if __name__ == "__main__":
    main(*sys.argv[1:])
