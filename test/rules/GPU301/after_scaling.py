"""Fitting a scaler or a classifier of scikit-learn uses no GPU."""
import numpy as np
from keras.models import load_model
from sklearn.linear_model import LogisticRegression
from sklearn.preprocessing import StandardScaler

data, labels = np.random.rand(32, 4), np.random.randint(2, size=32)
scaler = StandardScaler()
scaler.fit(data)
baseline = LogisticRegression()
baseline.fit(scaler.transform(data), labels)
print(baseline.predict(data))

model = load_model("churn.h5")  #: GPU301
print(model.predict(scaler.transform(data)))
final = load_model("final.h5")
