import tensorflow as tf


def entropy(truth, guess):
    return -tf.reduce_mean(tf.to_float(truth) * tf.log(guess))
