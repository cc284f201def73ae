"""Other libraries, methods and the project's own functions of the same name."""
import fasttext
import mlflow
import mlflow.keras
import spacy
import tensorflow as tf
import whisper
import xgboost as xgb
from catboost import CatBoostClassifier

from project.models import load_model
from . import registry


class Service:
    def load_model(self, name):
        self.model = registry.load_model(name)
        return self.model

    def start(self):
        return self.load_model("default")


tagger = spacy.load("en_core_web_sm")
speech = whisper.load_model("base")
words = fasttext.load_model("lid.176.bin")
booster = xgb.Booster()
booster.load_model("booster.json")
cat = CatBoostClassifier()
cat.load_model("cat.cbm")
tracked = mlflow.keras.load_model("models:/digits/1")
generic = mlflow.pyfunc.load_model("models:/digits/1")
own = load_model("own")
graph = tf.saved_model.load("exported")
service = Service()
service.load_model("other")
rebuilt = tf.keras.models.model_from_json(open("model.json").read())
rebuilt.load_weights("model.weights.h5")
