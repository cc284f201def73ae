import numpy as np
from flask import Flask, jsonify, request
from tensorflow.keras.models import load_model

app = Flask(__name__)
model = None


def get_model():
    global model
    model = load_model("VGG16_cats_and_dogs.h5")  #: GPU301
    print(" * Model loaded!")


@app.route("/predict", methods=["POST"])
def predict():
    values = np.array(request.get_json()["values"])
    return jsonify(model(values[None]).numpy().tolist())


print(" * Loading Keras model...")
get_model()
