"""Loads every file of files/ with the installed Keras; prints {file: null or the error}."""
import os, sys, warnings, glob, json, re
warnings.filterwarnings("ignore"); os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"
which, name = sys.argv[1:3]
if which == "tf": import tensorflow as tf; keras = tf.keras
elif which == "tf_keras": import tf_keras as keras
else: import keras
out = {}
def tried(p, **k):
    try: keras.models.load_model(p, **k); return None
    except BaseException as e: return (type(e).__name__ + ": " + re.sub(r"\s+", " ", str(e)))[-500:]
# A kernel that the CPU lacks breaks the TensorFlow 1 session for all later files.
for p in sorted(glob.glob("files/*"), key=lambda p: ("cudnn" in p, p)):
    if os.path.isdir(p): continue
    out[os.path.basename(p)] = [tried(p), tried(p, compile=False)]
json.dump(out, open("loaded/%s.json" % name, "w"), indent=0)
print(name, len(out), sum(v[0] is None for v in out.values()))
