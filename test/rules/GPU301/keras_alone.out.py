from keras.models import load_model
import numpy as np
import tensorflow as tf

for physical_gpu in tf.config.list_physical_devices('GPU'):
    tf.config.experimental.set_memory_growth(physical_gpu, True)

gpu = 0


def main():
    model = load_model('letters.keras')
    return model(np.zeros((1, 28, 28)))


print(main())
