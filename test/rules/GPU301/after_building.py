"""The model that was fitted comes out of a function of this file."""
import numpy as np
from keras import layers, models


def build():
    model = models.Sequential()
    model.add(layers.Dense(1, input_shape=(4,)))
    model.compile("sgd", "mse")
    return model


network = build()
network.fit(np.ones((8, 4)), np.ones((8, 1)))
network.save("network.keras")
restored = models.load_model("network.keras")
