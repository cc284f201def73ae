import os

os.environ["KERAS_BACKEND"] = "torch"

import keras
import torch

print("GPU" if torch.cuda.is_available() else "CPU")
model = keras.saving.load_model("model.keras")
