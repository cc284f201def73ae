"""Only definitions: the program that imports them may have configured the devices."""
from pathlib import Path

import numpy as np
from tensorflow.keras.models import load_model

MODELS = Path("models")
CLASSES = ["cat", "dog"]


class Predictor:
    def __init__(self, name):
        self.model = load_model(MODELS / name)  #: GPU301

    def __call__(self, image):
        return CLASSES[int(np.argmax(self.model(image[None])))]


def ensemble(names):
    return [load_model(MODELS / name) for name in names]  #: GPU301 hint
