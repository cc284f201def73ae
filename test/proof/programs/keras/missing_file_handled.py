# runs: the failure is handled, and nothing is loaded
import tensorflow as tf

try:
    model = tf.keras.models.load_model("checkpoints/no_such_model.keras")
except Exception as error:
    model = None
    print(type(error).__name__)
print(model)
