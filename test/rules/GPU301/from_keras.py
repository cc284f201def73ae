from keras.models import load_model

model = load_model("sentiment.h5")  #: GPU301
model.summary()
