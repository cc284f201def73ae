from keras.models import load_model

from measures import entropy

model = load_model("net.h5", custom_objects={"entropy": entropy})  #: GPU301
other = load_model("other.h5")  #: GPU301 hint
print(model.summary(), other.summary())
