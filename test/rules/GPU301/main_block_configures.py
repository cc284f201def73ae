"""The block at the end runs before the function that loads."""
import tensorflow as tf


def main():
    model = tf.keras.models.load_model("model.keras")
    model.summary()


if __name__ == "__main__":
    for gpu in tf.config.list_physical_devices("GPU"):
        tf.config.experimental.set_memory_growth(gpu, True)
    main()
