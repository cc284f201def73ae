import tensorflow as tf


def scopes(a, b):
    with tf.device("/GPU:0"):
        c = tf.matmul(a, b)
    with tf.device('/device:GPU:1'):
        d = tf.matmul(a, b)
    with tf.device("/gpu:2"), tf.name_scope("GPU:0"):
        e = tf.matmul(a, b)
    name = "GPU:0"
    with tf.device(name):
        f = tf.matmul(a, b)
    for name in ["/GPU:0", "/GPU:1"]:
        with tf.device(name):
            f += tf.matmul(a, b)
    return c, d, e, f


def strategy():
    return tf.distribute.MirroredStrategy(devices=["/gpu:0", "/gpu:1"])
