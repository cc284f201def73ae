#: facts {"here": {"devices": {}, "keras": "3.15.1", "tfKeras": "2.21.0", "usesTfKeras": true}}
import tensorflow as tf

a = tf.keras.models.load_model("keras/plain.keras")  #: GPU504
b = tf.keras.models.load_model("keras/keras2.h5")
