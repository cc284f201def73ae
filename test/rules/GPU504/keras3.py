#: facts {"here": {"devices": {}, "keras": "3.15.1"}}
import keras

a = keras.models.load_model("keras/plain.keras")
b = keras.models.load_model("keras/keras2.h5")  #: GPU504
c = keras.saving.load_model("keras/keras2.keras")
d = keras.models.load_model("keras/model.h5")  #: GPU504
e = keras.models.load_model("keras/keras2.h5", compile=False)
f = keras.models.load_model("keras/model.h5", compile=False)
