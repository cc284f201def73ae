"""Sorts scanned digits with the Keras model, beside other programs that share the machine's GPU."""

import pickle
from pathlib import Path

import numpy as np
import tensorflow as tf
from tensorflow import keras

LABELS = Path("checkpoints/labels.pkl")


def load_labels():
    if not LABELS.exists():
        return [str(digit) for digit in range(10)]
    with LABELS.open("rb") as file:
        return pickle.load(file)


def scans(count=6):
    """Images with one bright row each, as the scanner delivers them."""
    images = np.zeros((count, 28, 28, 1), dtype="float32")
    images[np.arange(count), 4 * np.arange(count)] = 1
    return images


model = keras.models.load_model("checkpoints/digits.keras")
labels = load_labels()

with tf.device("/CPU:0"):
    batch = tf.constant(scans())

scores = model.predict(batch, verbose=0)
for index, row in enumerate(scores):
    print(f"scan {index}: {labels[row.argmax()]}")

# The review model is only loaded now, when the GPU is in use already.
review = keras.models.load_model("checkpoints/digits.keras", compile=False)
print(f"The models agree on {np.mean(scores.argmax(1) == review(batch).numpy().argmax(1)):.0%}.")
