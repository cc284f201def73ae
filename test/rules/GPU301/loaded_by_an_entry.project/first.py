from keras.models import load_model


def load_first():
    return load_model("first.keras")  #: GPU301
