"""TensorFlow refuses to change devices that are in use."""
import tensorflow as tf


def after_a_tensor():
    x = tf.constant([1.0])
    for gpu in tf.config.list_physical_devices("GPU"):
        tf.config.experimental.set_memory_growth(gpu, True)  #: GPU302
    return x


def after_a_test():
    if tf.test.is_gpu_available():
        gpus = tf.config.list_physical_devices("GPU")
        tf.config.set_visible_devices(gpus[:1], "GPU")  #: GPU302


def after_a_model(path):
    model = tf.keras.models.load_model(path)
    gpus = tf.config.list_physical_devices("GPU")
    try:
        tf.config.experimental.set_virtual_device_configuration(gpus, [])  #: GPU302
    except RuntimeError as error:
        print(error)
    return model
