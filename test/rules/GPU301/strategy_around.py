import tensorflow as tf

strategy = tf.distribute.MirroredStrategy()
with strategy.scope():
    model = tf.keras.models.load_model("model.keras")

with tf.distribute.OneDeviceStrategy("/gpu:0").scope():
    second = tf.keras.models.load_model("second.keras")

outside = tf.keras.models.load_model("outside.keras")  #: GPU301
