import tensorflow.keras as K
from tensorflow.keras import models

read = models.load_model
face_model = read("face.keras")  #: GPU301
mask_model = models.load_model("mask.keras")  #: GPU301 hint
age_model = K.models.load_model("age.keras")  #: GPU301 hint
print(face_model.name, mask_model.name, age_model.name)
