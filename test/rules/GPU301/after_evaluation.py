import keras
import numpy as np


class Small(keras.Model):
    def __init__(self):
        super().__init__()
        self.dense = keras.layers.Dense(1)

    def call(self, x):
        return self.dense(x)


small = Small()
small.compile(loss="mse")
small.evaluate(np.ones((2, 4)), np.ones((2, 1)))
large = keras.models.load_model("large.keras")
