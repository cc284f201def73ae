import tensorflow as tf

x = tf.placeholder(tf.float32)
model = tf.keras.models.load_model("letters.h5")
