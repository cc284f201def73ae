import os
os.environ["KERAS_BACKEND"] = "jax"
import keras
import jax

model = keras.saving.load_model("letters.keras")
model.summary()
