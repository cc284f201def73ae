from keras.models import load_model


def load_second():
    return load_model("second.keras")  #: GPU301
