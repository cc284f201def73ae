#: facts {"here": {"devices": {}, "keras": "3.15.1", "tfKeras": "2.21.0"}}
import tf_keras

a = tf_keras.models.load_model("keras/plain.keras")  #: GPU504
b = tf_keras.models.load_model("keras/keras2.h5")
c = tf_keras.models.load_model("keras/keras2.keras")
