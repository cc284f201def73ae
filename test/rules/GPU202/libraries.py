"""Other libraries' ways to ask for a GPU."""
import catboost
import ctranslate2
import jax
import lightgbm as lgb
import numba.cuda
import onnxruntime as ort
import spacy
import xgboost as xgb
from faster_whisper import WhisperModel
from transformers import AutoModel, Seq2SeqTrainingArguments, TrainingArguments


def transformers_precision():
    return TrainingArguments("out", fp16=True), TrainingArguments("out", bf16=True)  #: GPU202


def transformers_no_precision(args):
    return TrainingArguments("out", fp16=args.fp16), Seq2SeqTrainingArguments("out", fp16=False)


def transformers_map():
    return AutoModel.from_pretrained("a", device_map="cuda")  #: GPU202 same


def transformers_pinned_map():
    return AutoModel.from_pretrained("a", device_map={"": 0})  #: GPU201


def transformers_automatic_map():
    return AutoModel.from_pretrained("a", device_map="auto"), AutoModel.from_pretrained("a", device_map={"": "cpu"})


def whisper():
    return WhisperModel("small", device="cuda")  #: GPU202 same


def whisper_automatic():
    return WhisperModel("small", device="auto"), WhisperModel("small")


def translator():
    return ctranslate2.Translator("model", "cuda")  #: GPU202 same


def language():
    spacy.require_gpu()  #: GPU202 same
    return spacy.load("en_core_web_sm")


def language_if_there():
    spacy.prefer_gpu()
    return spacy.load("en_core_web_sm")


def onnx():
    return ort.InferenceSession("a.onnx", providers=["CUDAExecutionProvider"])  #: GPU202 hint


def onnx_with_cpu(more):
    first = ort.InferenceSession("a.onnx", providers=["CUDAExecutionProvider", "CPUExecutionProvider"])
    return first, ort.InferenceSession("a.onnx", providers=["CUDAExecutionProvider", more])


def boosted():
    return xgb.XGBClassifier(tree_method="gpu_hist"), xgb.XGBClassifier(tree_method="hist")  #: GPU202 same


def boosted_with_fallback():
    return xgb.XGBClassifier(device="cuda")  #: GPU202 hint


def boosted_by_parameters(data):
    params = {"max_depth": 3, "tree_method": "gpu_hist"}  #: GPU202 same
    return xgb.train(params, data)


def light():
    return lgb.LGBMClassifier(device="gpu")  #: GPU202 same


def light_by_parameters(data):
    return lgb.train({"device_type": "gpu", "verbose": -1}, data)  #: GPU202 same


def cat():
    return catboost.CatBoostClassifier(task_type="GPU"), catboost.CatBoostClassifier(task_type="CPU")  #: GPU202 same


def devices():
    return jax.devices("gpu")[0], jax.devices()[0], jax.devices("cpu")  #: GPU202 same


def devices_handled():
    try:
        return jax.devices("gpu")
    except RuntimeError:
        return jax.devices("cpu")


def kernels():
    numba.cuda.select_device(0)  #: GPU202 same


def kernels_tested():
    if numba.cuda.is_available():
        numba.cuda.select_device(0)


def named(config):
    return {"task": "GPU", "tree": "gpu_hist"}
