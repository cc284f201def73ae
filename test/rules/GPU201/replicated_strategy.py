"""A list of a strategy shares every step among its devices."""
import tensorflow as tf

strategy = tf.distribute.MirroredStrategy(devices=["/gpu:0", "/gpu:1"])  #: GPU201 hint, GPU201 hint

with strategy.scope():
    model = tf.keras.Sequential([tf.keras.layers.Dense(1)])

with tf.device("/gpu:1"):  #: GPU201 hint
    loss = tf.reduce_sum(tf.ones((2, 2)))
