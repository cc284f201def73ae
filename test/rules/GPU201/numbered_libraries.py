"""Numbers that are GPUs in a library's calls."""
from ultralytics import YOLO

model = YOLO("a.pt")


def train():
    model.train(data="d.yaml", device=[0, 1])  #: GPU201, GPU201


def predict():
    return model.predict("a.jpg", device=2)  #: GPU201


def on_cpu():
    return model.predict("a.jpg", device="cpu")
