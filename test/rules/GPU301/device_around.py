import tensorflow as tf

with tf.device("/CPU:0"):
    reference = tf.keras.models.load_model("reference.keras")

with tf.device("/CPU:0"):
    table = tf.constant([1.0, 2.0])

model = tf.keras.models.load_model("model.keras")  #: GPU301
