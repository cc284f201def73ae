"""Combines the probes' results into the table of arguments that Keras versions reject and classes that they lack."""
import json, os
from collections import defaultdict
TF = {"tf115": "1.15", "tf21": "2.1", "tf23": "2.3", "tf24": "2.4", "tf25": "2.5", "tf26": "2.6", "tf27": "2.7", "tf28": "2.8", "tf29": "2.9", "tf210": "2.10", "tf211": "2.11", "tf212": "2.12", "tf213": "2.13", "tf214": "2.14", "tf215": "2.15", "tfk221": "2.21"}
LINES = {
  "keras 2": [("k" + v, v) for v in ("2.0.9", "2.1.6", "2.2.5", "2.3.1")],
  "tensorflow": list(TF.items()),
  "keras 3": [(v, v) for v in ("3.0.5","3.1.1","3.2.1","3.3.3","3.4.1","3.5.0","3.6.0","3.7.0","3.8.0","3.9.2","3.10.0","3.11.3","3.12.0","3.13.2","3.14.0","3.15.1")],
}
NEED_TF = {"TextVectorization", "StringLookup", "IntegerLookup", "Hashing", "HashedCrossing"}
def read(name):
    parts = [json.load(open("probed/%s.%s.json" % (name, m))) for m in ("h5", "keras") if os.path.exists("probed/%s.%s.json" % (name, m))]
    return parts
found = defaultdict(list)   # (kind of row, argument, ranges by line) -> classes
rows = defaultdict(dict)
tried = {}
union = json.load(open("union.json"))
names = defaultdict(set)
for key in union: names[key.split(" ")[1]].add(key.split(" ")[0])
for line, versions in LINES.items():
    have = [(n, v, read(n)) for n, v in versions]
    have = [(n, v, p) for n, v, p in have if len(p) == (2 if line == "keras 3" else 1)]
    if line == "tensorflow" and not os.path.exists("probed/tf215.h5.json"): have = []
    tried[line] = [v for _, v, _ in have]
    def ranges(test):
        out, start = [], None
        flags = [test(p) for _, _, p in have] + [False]
        for i, flag in enumerate(flags):
            if flag and start is None: start = i
            if not flag and start is not None:
                first = "" if start == 0 else have[start][1]
                last = "" if i == len(have) else have[i - 1][1]
                out.append("%s..%s" % (first, last)); start = None
        return out
    for key in union:
        kind, cls = key.split(" ")
        if kind in ("loss", "metric", "legacy_optimizer") or len(names[cls]) > 1 or cls == "InputSpec": continue
        if line == "keras 3" and cls in NEED_TF: continue
        args = {a for _, _, p in have for q in p for a in q.get(key, {}).get("refused", {})}
        r = ranges(lambda p: all(not q.get(key, {"known": True})["known"] for q in p))
        if r: rows[("class", cls)][line] = r
        for a in args:
            r = ranges(lambda p: all(a in q.get(key, {}).get("refused", {}) for q in p))
            if r: rows[("argument", a, cls)][line] = r
def text(by):
    spans = []
    for line, r in by.items():
        for each in r: spans.append("%s %s" % (line.split(" ")[0], each if line != "keras 3" else each.replace("..", "..", 1)) if line != "keras 2" and line != "keras 3" else "keras " + (("3" if line == "keras 3" and each.startswith("..") else "") + each if not (line == "keras 2" and each.endswith("..")) else each + "2"))
    return spans
groups = defaultdict(set)
for key, by in rows.items():
    spans = tuple(text(by))
    kind = next(iter(names[key[-1]]))
    if kind in ("optimizer", "losse") and key[0] == "class": continue
    groups[(key[0] + (" compiled" if kind in ("optimizer", "losse") else ""), key[1] if key[0] == "argument" else "", spans)].add(key[-1])
lines = []
lines.append("tried:")
for line, v in tried.items(): lines.append("  %s: [%s]" % (line.replace(" ", "-"), ", ".join("'%s'" % x for x in v)))
lines.append("arguments:")
for (what, a, spans), classes in sorted(groups.items()):
    if what.startswith("argument"): lines.append("  - {argument: %s, of: [%s], refused-by: [%s]%s}" % (a, ", ".join(sorted(classes)), ", ".join("'%s'" % s for s in spans), ", compiled: true" if "compiled" in what else ""))
lines.append("  - {argument: ragged, of: [InputLayer], refused-by: ['keras ..2.2.5']}")
lines.append("losses:\n  - {names: [mse, mae, mape, msle, kld, logcosh, huber_loss, kullback_leibler_divergence, cosine_proximity, MSE, MAE], refused-by: ['keras 3..']}")
lines.append("classes:\n  - {missing: [ClassMethod, InstanceMethod, SlicingOpLambda, TFOpLambda, TensorFlowOpLayer], in: ['keras 3..']}")
lines.append("  - {missing: [Functional], in: ['keras ..2.2.5']}")
for (what, a, spans), classes in sorted(groups.items(), key=lambda x: x[0][2]):
    if what == "class": lines.append("  - {missing: [%s], in: [%s]}" % (", ".join(sorted(classes)), ", ".join("'%s'" % s for s in spans)))
lines[1:4] = ["  keras-2: ['2.2.5']", "  tensorflow: ['2.4', '2.8', '2.15']"] + [l for l in lines[1:4] if "keras-3" in l] if not tried["tensorflow"] else lines[1:4]
print("""# Arguments that classes of Keras reject, and classes that a release lacks. Each row was tested: every release's configuration
# of a class was passed to the loader of every other release. Ranges end at tested releases; if a range is open, the newest
# release still rejects the argument. The programs are in `test/checkpoint/keras/`.""")
print("\n".join(lines))
