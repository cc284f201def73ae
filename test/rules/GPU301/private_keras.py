from tensorflow.python.keras.models import load_model

emotion_classifier = load_model("models/emotion.hdf5")  #: GPU301
print(emotion_classifier.input_shape[1:3])
