import tensorflow.compat.v1 as tf

model = tf.keras.models.load_model("letters.h5")
