#: facts {"here": {"devices": {}, "keras": "3.15.1", "tfKeras": "2.21.0"}}
"""Which of them a call means is not looked at."""
import keras
import tf_keras

a = tf_keras.models.load_model("keras/plain.keras")
b = keras.models.load_model("keras/keras2.h5")
