import os

os.environ["KERAS_BACKEND"] = "torch"

import keras
import torch

if not torch.cuda.is_available():
    print("No GPU was found: Keras runs on the CPU.")

model = keras.saving.load_model("letters.keras")
model.summary()
