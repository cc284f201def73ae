from keras.models import load_model


def extract(image):
    model = load_model("features.keras")  #: GPU301
    return model.layers
