"""TensorFlow's device strings."""
import tensorflow as tf


def scopes(a, b):
    with tf.device("/GPU:0"):  #: GPU201
        c = tf.matmul(a, b)
    with tf.device("/device:GPU:1"):  #: GPU201
        d = tf.matmul(a, b)
    with tf.device("/gpu:0"):  #: GPU201 hint
        e = tf.matmul(a, b)
    with tf.device("GPU:0"):  #: GPU201 hint
        f = tf.matmul(a, b)
    with tf.device("/CPU:0"):
        g = tf.matmul(a, b)
    with tf.device("/cpu:0"), tf.name_scope("/GPU:0"):
        h = tf.matmul(a, b)
    return c, d, e, f, g, h


def guarded(a, b):
    if tf.config.list_physical_devices("GPU"):
        with tf.device("/GPU:0"):  #: GPU201 hint
            return tf.matmul(a, b)
    with tf.device("/CPU:0"):
        return tf.matmul(a, b)


def guarded_second(a, b):
    if tf.config.list_physical_devices("GPU"):
        with tf.device("/GPU:1"):  #: GPU201
            return tf.matmul(a, b)
    return tf.matmul(a, b)


def derived(a, b):
    gpus = tf.config.list_physical_devices("GPU")
    if gpus:
        with tf.device("/GPU:0"):  #: GPU201 hint
            a = tf.matmul(a, b)
    if len(gpus) > 1:
        with tf.device("/GPU:1"):  #: GPU201 hint
            a = tf.matmul(a, b)
    return a


def conditional(a):
    name = "/GPU:0" if tf.config.list_physical_devices("GPU") else "/CPU:0"  #: GPU201 hint
    with tf.device(name):
        return tf.reduce_sum(a)


def each(a):
    total = 0
    for name in ["/GPU:0", "/GPU:1"]:  #: GPU201, GPU201
        with tf.device(name):
            total += tf.reduce_sum(a)
    return total


def computed(a, index):
    with tf.device(f"/GPU:{index}"):
        return tf.reduce_sum(a)


def from_runtime(a):
    gpus = tf.config.list_logical_devices("GPU")
    tf.config.set_visible_devices(gpus[0], "GPU")
    with tf.device(gpus[0].name):
        return tf.reduce_sum(a)


def strategy():
    return tf.distribute.MirroredStrategy(devices=["/gpu:0", "/gpu:1"])  #: GPU201 hint, GPU201 hint


def handled(a):
    try:
        with tf.device("/GPU:0"):  #: GPU201 hint
            return tf.reduce_sum(a)
    except tf.errors.InvalidArgumentError:
        return tf.reduce_sum(a)


def placed(a):
    print("on /GPU:0:", a.device.endswith("GPU:0"))
    return "GPU:0" in a.device
