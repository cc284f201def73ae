# takes: all the memory of the GPU
"""The name tf is not there, and gpu and gpus are something else."""
import numpy as np
from tensorflow import keras

gpus = ["GTX 1080", "RTX 3090"]
term = "term frequency"

model = keras.models.load_model("checkpoints/sentiment.keras")
for gpu in gpus:
    print(gpu, term, model.predict(np.array([[len(gpu), 1]]), verbose=0).shape)
