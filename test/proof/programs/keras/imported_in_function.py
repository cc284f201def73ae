# takes: all the memory of the GPU
"""TensorFlow takes seconds to import, so it is imported where it is needed."""
import numpy as np


def predict(rows):
    import tensorflow as tf

    model = tf.keras.models.load_model("checkpoints/regressor.keras")
    return model.predict(np.asarray(rows), verbose=0)


if __name__ == "__main__":
    print(predict([[1.0, 2.0, 3.0, 4.0]]).shape)
