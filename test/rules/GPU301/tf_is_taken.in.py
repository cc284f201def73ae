from keras.models import load_model
from textblob import features as tf

model = load_model("letters.h5")
print(tf.count(model))
