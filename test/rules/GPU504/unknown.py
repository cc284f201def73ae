import keras

a = keras.models.load_model("keras/plain.keras")
