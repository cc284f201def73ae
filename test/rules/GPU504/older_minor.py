#: facts {"here": {"devices": {}, "keras": "3.12.0"}}
import keras

a = keras.models.load_model("keras/plain.keras")  #: GPU504
b = keras.models.load_model("keras/half.keras", compile=False)  #: GPU504
c = keras.models.load_model("keras/keras2.keras")
d = keras.models.load_model("keras/keras2.h5", compile=False)
