import os
os.environ["KERAS_BACKEND"] = "jax"
import keras
import jax

if jax.devices()[0].platform == "cpu":
    print("No GPU was found: Keras runs on the CPU.")

model = keras.saving.load_model("letters.keras")
model.summary()
