# takes: all the memory of the GPU
"""Keras 3 without a word of TensorFlow."""
import keras
import numpy as np

classifier = keras.models.load_model("checkpoints/classifier.keras")
images = np.random.default_rng(0).random((2, 8, 8, 1), dtype="float32")
for scores in classifier.predict(images, verbose=0):
    print("class", scores.argmax())
