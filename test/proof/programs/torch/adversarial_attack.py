# fails: RuntimeError: Attempting to deserialize object on a CUDA device but torch.cuda.is_available() is False
"""FGSM against a network from the model zoo of the lab."""
import torch
import torch.nn.functional as F

from networks import Classifier


def fgsm(model, image, label, epsilon=0.1):
    image = image.clone().requires_grad_(True)
    loss = F.cross_entropy(model(image), label)
    model.zero_grad()
    loss.backward()
    return (image + epsilon * image.grad.sign()).clamp(0, 1).detach()


def main(weights="checkpoints/classifier.pt", device="cuda:0"):
    model = Classifier()
    model.load_state_dict(torch.load(weights, map_location="cuda:0"))
    model.eval()
    image = torch.rand(1, 1, 8, 8)
    label = model(image).argmax(1)
    attacked = fgsm(model, image, label)
    print("label", label.item(), "->", model(attacked).argmax(1).item())


main()
