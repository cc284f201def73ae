import keras
import numpy as np


def score(file):
    model = keras.models.load_model(file)  #: GPU301
    return model.predict(np.zeros((1, 4)))
