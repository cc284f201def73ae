"""Writes server/src/published/releases/kerasObjects.yaml: the classes and functions that Keras models may name.

    python3 scripts/tables/keras.py [FOLDER]

Downloads the wheels of the releases below into FOLDER with pip, unless they are there, and reads their Python files
without importing them. A class is listed if it derives from one of Keras's own bases and its constructor takes no file, no
function and no program. A pair of module and name is listed only if no release means anything else by it.
"""

import ast
import re
import subprocess
import sys
import tempfile
import zipfile
from collections import defaultdict
from datetime import date
from pathlib import Path

TABLE = Path(__file__).parents[2] / "server/src/published/releases/kerasObjects.yaml"

# The last patch of each minor release. Keras 2.4 only forwards to TensorFlow, and 2.5 has no wheel of its own.
RELEASES = {
    "keras": """2.1.6 2.2.5 2.3.1 2.6.0 2.7.0 2.8.0 2.9.0 2.10.0 2.11.0 2.12.0 2.13.1 2.14.0 2.15.0 3.0.5 3.1.1 3.2.1
        3.3.3 3.4.1 3.5.0 3.6.0 3.7.0 3.8.0 3.9.2 3.10.0 3.11.3 3.12.4 3.13.2 3.14.1 3.15.1""".split(),
    "tf_keras": "2.14.1 2.15.1 2.16.0 2.17.0 2.18.0 2.19.0 2.20.1 2.21.0".split(),
}

# A class whose ancestors include one of these is built from its configuration alone.
BASES = """Layer Operation Initializer Regularizer Constraint Loss Metric Optimizer OptimizerV2 LearningRateSchedule DTypePolicy
    Policy Quantizer QuantizationConfig LegacyOptimizerWarning""".split()
# Classes without such a base that models contain.
OTHERS = ["SeedGenerator", "FeatureSpace", "InputSpec", "LossScaleOptimizer"]

# Parameters of a constructor that take a file, a program or a function that Keras looks up by name.
UNSAFE = """filepath path file function func f call_fn init_fn python_function module feature_columns call_endpoint body cond
    true_fn false_fn body_fn cond_fn pyfunc pyfunction converter method model_fn""".split()
# Classes with code, programs or operations by name in their configuration.
DENIED = """Lambda TFSMLayer TorchModuleWrapper JaxLayer FlaxLayer TFOpLambda SlicingOpLambda ClassMethod InstanceMethod
    InstanceProperty TensorFlowOpLayer DenseFeatures SequenceFeatures LinearFeatures Map Scan AssociativeScan ForiLoop
    WhileLoop Cond Switch VectorizedMap Vectorize JVP CustomGradientFunction""".split()
# Classes of Keras in TensorFlow 1 and of Keras 1, whose files name no module.
OLDER = """AtrousConvolution1D AtrousConvolution2D BatchNormalizationV1 BatchNormalizationV2 GRUV1 GRUV2 LSTMV1 LSTMV2
    MultiRNNCell NormalizationV2""".split()
# Modules for tests, for backends and for parts that no file contains.
NOT_SAVED = re.compile(r"\.(testing\w*|test_util\w*|backend|trainers|legacy_tf_layers|legacy_rnn|legacy_cells)(\.|$)")

# Modules in which Keras looks up a function that a file attributes to `builtins`, and the module of operations.
FUNCTIONS = "activations constraints initializers losses metrics optimizers regularizers".split()
# Functions that make objects, or call one of their arguments.
NOT_COMPUTING = """get serialize deserialize associative_scan cond custom_gradient fori_loop map scan switch vectorize vectorized_map
    while_loop""".split()


def wheels(folder):
    for package, releases in RELEASES.items():
        for release in releases:
            found = [*folder.glob(f"{package}-{release}-*.whl"), *folder.glob(f"{package.title()}-{release}-*.whl")]
            if not found:
                subprocess.run(
                    [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--only-binary=:all:"]
                    + ["--ignore-requires-python", "--python-version=3.13", f"--dest={folder}", f"{package}=={release}"],
                    check=True,
                )
                found = [*folder.glob(f"*eras-{release}-*.whl")]
            # Earlier releases look names up in tables of their own, and write no module.
            has_modules = package == "tf_keras" or tuple(map(int, release.split("."))) >= (2, 12)
            yield package, found[0], has_modules


def exports(node):
    """The public names in a decorator `@keras_export(...)`."""
    names = []
    for decorator in node.decorator_list:
        name = getattr(getattr(decorator, "func", None), "id", getattr(getattr(decorator, "func", None), "attr", ""))
        if name != "keras_export":
            continue
        # The names in `v1` are those of `tf.compat.v1`, in which no loader looks.
        given = [*decorator.args, *(k.value for k in decorator.keywords if k.arg == "path")]
        for value in given:
            try:
                value = ast.literal_eval(value)
            except ValueError:
                continue
            names += [value] if isinstance(value, str) else list(value)
    return [name for name in names if isinstance(name, str)]


class Release:
    def __init__(self, wheel):
        self.classes = {}  # (module, name) -> (bases, parameters, public names)
        self.by_name = defaultdict(list)
        self.functions = {}
        self.aliases = []  # (module, name, the class's name)
        with zipfile.ZipFile(wheel) as archive:
            for name in archive.namelist():
                if name.endswith(".py") and not re.search(r"_test\.py$|/tests?/|/api/|integration_test", name):
                    self.read(name[:-3].replace("/", ".").removesuffix(".__init__"), archive.read(name).decode())

    def read(self, module, text):
        for node in ast.parse(text).body:
            for inner in node.body if isinstance(node, (ast.If, ast.Try)) else [node]:
                if isinstance(inner, ast.ClassDef):
                    bases = [b.id if isinstance(b, ast.Name) else getattr(b, "attr", "") for b in inner.bases]
                    inits = [f for f in inner.body if isinstance(f, ast.FunctionDef) and f.name == "__init__"]
                    parameters = [a.arg for f in inits for a in f.args.args + f.args.kwonlyargs]
                    self.classes[module, inner.name] = (bases, parameters, exports(inner))
                    self.by_name[inner.name].append((module, inner.name))
                elif isinstance(inner, ast.FunctionDef):
                    self.functions[module, inner.name] = exports(inner)
                elif isinstance(inner, ast.Assign) and isinstance(inner.value, ast.Name):
                    for target in inner.targets:
                        if isinstance(target, ast.Name):
                            self.aliases.append((module, target.id, inner.value.id))

    def ancestors(self, name, seen):
        if name in seen:
            return seen
        seen.add(name)
        for key in self.by_name[name]:
            for base in self.classes[key][0]:
                self.ancestors(base, seen)
        return seen

    def is_safe(self, key):
        bases, parameters, _ = self.classes[key]
        name = key[1]
        # Up to Keras 2.2, `Merge` took a function's code; what derives from the later class of that name does not.
        if name in (*DENIED, "Merge") or name.startswith("_") or NOT_SAVED.search(key[0]):
            return False
        if name in OTHERS:
            return True
        above = set().union({name}, *(self.ancestors(base, set()) for base in bases))
        if above & set(DENIED) or not above & set(BASES):
            return False
        return not set(parameters) & set(UNSAFE)


def pairs_of(module, name, public):
    """The modules and names under which a file may refer to an object: its public names, or else its own module."""
    for each in public:
        place, _, last = each.rpartition(".")
        if place:
            yield place, last
    if not public:
        yield module, name


def main():
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(tempfile.mkdtemp())
    allowed, refused, functions, other_functions, programs = set(), set(), set(), set(), set()
    names = set(OLDER)
    for package, wheel, has_modules in wheels(folder):
        release = Release(wheel)
        for key, (_, _, public) in release.classes.items():
            pairs = set(pairs_of(*key, public))
            if package == "tf_keras":
                pairs |= {(re.sub(r"^keras\b", "tf_keras", module), name) for module, name in pairs}
            if release.is_safe(key):
                allowed |= pairs if has_modules else set()
                names |= {name for _, name in pairs} | {key[1]}
            elif has_modules and key[1] in DENIED:
                programs |= pairs
            elif has_modules:
                refused |= pairs
        for _, alias, name in release.aliases:
            if any(release.is_safe(key) for key in release.by_name[name]):
                names.add(alias)
        for (module, name), public in release.functions.items() if has_modules else ():
            for place, last in pairs_of(module, name, public) if public else ():
                pairs = {(place, last)} | ({(re.sub(r"^keras\b", "tf_keras", place), last)} if package == "tf_keras" else set())
                room = place.removeprefix("keras.").split(".")[0]
                computes = room in (*FUNCTIONS, "ops") and last not in NOT_COMPUTING and not last.startswith("_")
                (functions if computes else other_functions).update(pairs)
            refused |= set(pairs_of(module, name, public))
    functions = {pair for pair in functions if pair not in other_functions and re.match(r"(tf_)?keras\.\w+$", pair[0])}
    refused -= functions
    twice = allowed & (refused | programs)
    allowed -= twice
    names -= set(DENIED)
    write(allowed, functions, programs, names)
    print(f"{len(allowed)} classes, {len(functions)} functions, {len(names)} names; left out, as two things: {sorted(twice)}")


def by_module(pairs):
    found = defaultdict(list)
    for module, name in pairs:
        found[module].append(name)
    for module, names in sorted(found.items()):
        yield f"  {module}: {' '.join(sorted(names))}\n"


def write(classes, functions, programs, names):
    releases = "; ".join(f"{package} {', '.join(each)}" for package, each in RELEASES.items())
    TABLE.write_text(
        "# Classes and functions that a Keras model may name: exact pairs of module and name, by module.\n"
        "# Source: the Python files in the wheels of the releases, read by scripts/tables/keras.py.\n"
        f"# Releases: {releases}.\n"
        f'as_of: "{date.today():%Y-%m}"\n'
        "# Built from their configuration alone: no constructor takes a file, a function or a program.\n"
        f"classes:\n{''.join(by_module(classes))}"
        f"functions:\n{''.join(by_module(functions))}"
        "# Classes whose configuration names or contains code, a program or operations of TensorFlow.\n"
        f"programs:\n{''.join(by_module(programs))}"
        "# Names of the harmless classes in files of Keras 2, which name no module.\n"
        f"names: {' '.join(sorted(names))}\n"
    )


if __name__ == "__main__":
    main()
