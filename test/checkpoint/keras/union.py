import json, glob, os
union = {}
for f in sorted(glob.glob("conf/*.json")):
    if os.path.getsize(f) == 0: continue
    d = json.load(open(f))
    for c, conf in d.items():
        kind = conf.pop("__kind__")
        u = union.setdefault(kind + " " + c, {})
        for k, v in conf.items():
            u.setdefault(k, v)
json.dump(union, open("union.json", "w"), indent=0)
print(len(union), sum(len(u) for u in union.values()))
