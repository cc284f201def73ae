from keras.models import load_model
import numpy as np
gpu = 0


def main():
    model = load_model('letters.keras')
    return model(np.zeros((1, 28, 28)))


print(main())
