import os

os.environ["KERAS_BACKEND"] = "torch"

import keras

model = keras.saving.load_model("letters.keras")
model.summary()
