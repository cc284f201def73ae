import os, sys, json, warnings, re
warnings.filterwarnings("ignore"); os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"
which, name, mode = sys.argv[1:4]
if which == "tf":
    import tensorflow as tf; keras = tf.keras
    try: tf.get_logger().setLevel("ERROR")
    except Exception: pass
elif which == "tf_keras": import tf_keras as keras
else: import keras
three = getattr(keras, "__version__", "2").startswith("3")
union = json.load(open("union.json"))
own = json.load(open("conf/%s.json" % name))
def layer(cls, conf):
    if three and mode == "keras":
        from keras.src.saving import serialization_lib as S
        return S.deserialize_keras_object({"module": "keras", "class_name": "Sequential", "registered_name": None, "config": {"name": "s", "layers": [{"module": "keras.layers", "class_name": cls, "config": conf, "registered_name": None}]}})
    c = {"class_name": "Sequential", "config": {"name": "s", "layers": [{"class_name": cls, "config": conf}]}}
    if three:
        from keras.src.legacy.saving import saving_utils
        return saving_utils.model_from_config(c)
    if which == "keras" and name.startswith(("k2.0", "k2.1", "k2.2.1")):
        c["config"] = c["config"]["layers"]
    return keras.models.model_from_config(c)
def make(kind, cls, conf):
    conf = json.loads(json.dumps(conf))
    if kind == "layer": return layer(cls, dict(conf, name="x"))
    c = {"class_name": cls.replace("legacy.", ""), "config": conf}
    if three and mode == "keras": c = dict(c, module="keras." + kind + "s", registered_name=None)
    if "optimizer" in kind: 
        return keras.optimizers.deserialize(c, **({"use_legacy_optimizer": True} if kind.startswith("legacy") else {}))
    return getattr(keras, kind + "s").deserialize(c)
out = {}
def message(e): return type(e).__name__ + ": " + re.sub(r"\s+", " ", str(e))
for key, args in sorted(union.items()):
    kind, cls = key.split(" ")
    if kind in ("loss", "metric"): continue
    mine = own.get(cls)
    r = {"known": True, "refused": {}, "other": {}}
    if mine is not None:
        mine = {k: v for k, v in mine.items() if k != "__kind__"}
        try: make(kind, cls, mine)
        except Exception as e: r["own"] = message(e)[:200]
    else:
        try: make(kind, cls, args)
        except Exception as e:
            m = message(e)
            r["known"] = not re.search(r"Unknown|Could not (locate|find|deserialize)|not.*(found|registered)|ImportError|AttributeError: module", m)
            r["error"] = m[:300]
        if not r["known"]: out[key] = r; continue
        mine = {}
    for a, v in args.items():
        if a in mine: continue
        try: make(kind, cls, dict(mine, **{a: v}))
        except Exception as e:
            m = message(e)
            if (re.search(r"[Uu]nrecognized keyword|unexpected keyword|not understood|Invalid argument|should not be passed|[Uu]nexpected|not a valid argument|Unrecognized", m)) and a in m: r["refused"][a] = v
            elif re.search("Exception encountered: Unrec", m) and a in m: r["refused"][a] = v
            else: r["other"][a] = m[:160]
    out[key] = r
json.dump(out, open("probed/%s.%s.json" % (name, mode), "w"), indent=0)
print(name, mode, sum(not r["known"] for r in out.values()), sum(len(r["refused"]) for r in out.values()), sum(len(r["other"]) for r in out.values()), [k for k, r in out.items() if "own" in r][:8])
