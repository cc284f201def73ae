"""Writes server/src/published/releases/packageNames.yaml: the names that packages added and removed, by release.

    python3 scripts/tables/names.py

Reads only the directory and a few Python files of the newest wheel of each minor release, from the index that pip uses.
Results are kept in the cache of `npm run tables`.
"""

import ast
import json
import os
import re
import zipfile
from concurrent.futures import ThreadPoolExecutor
from datetime import date
from pathlib import Path

from pip._internal.index.collector import IndexContent, parse_links
from pip._internal.models.index import PyPI
from pip._internal.network.lazy_wheel import LazyZipOverHTTP
from pip._internal.network.session import PipSession
from pip._vendor.packaging.utils import parse_wheel_filename
from pip._vendor.packaging.version import Version

CACHE = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "gpu-doctor" / "tables" / "names"
TABLE = Path(__file__).parents[2] / "server/src/published/releases/packageNames.yaml"

TORCH = """amp compiler cuda cuda.amp distributed distributed.tensor library mps nn nn.attention nn.functional optim
    optim.lr_scheduler serialization utils utils._pytree utils.checkpoint"""

JAX = """core distributed experimental experimental.array_serialization.serialization extend interpreters.xla lib.xla_bridge
    monitoring nn numpy random sharding tree_util"""

KERAS = "backend engine layers layers.convolutional optimizers preprocessing saving utils wrappers"

TENSORFLOW = """config config.experimental distribute keras.applications keras.callbacks keras.layers keras.losses keras.metrics
    keras.optimizers keras.preprocessing keras.utils"""

# Folders in wheels whose contents users import under another name.
PUBLIC = {
    "keras": {"keras/api/": "keras/"},
    "tensorflow": {
        "tensorflow/_api/v2/": "tensorflow/",
        "tensorflow_core/_api/v2/": "tensorflow/",
        "tensorflow/python/keras/api/_v2/": "tensorflow/",
        "tensorflow_core/python/keras/api/_v2/": "tensorflow/",
        "keras/api/_v2/": "tensorflow/",
    },
}

# By distribution: the package, the first release to read, and the modules to read besides the package itself.
PACKAGES = {
    "huggingface-hub": ("huggingface_hub", "0.14", "utils errors"),
    "transformers": ("transformers", "4.16", "modeling_utils pytorch_utils cache_utils"),
    "torch": ("torch", "1.6", TORCH),
    "diffusers": ("diffusers", "0.18", "loaders models.attention_processor"),
    "jax": ("jax", "0.3.0", JAX),
    "accelerate": ("accelerate", "0.12", "utils"),
    "peft": ("peft", "0.1", ""),
    "torchvision": ("torchvision", "0.3", "models ops transforms transforms.functional io datasets utils transforms.v2"),
    "keras": ("keras", "2.2", KERAS),
    "tensorflow": ("tensorflow", "2.0", TENSORFLOW),
    "pytorch-lightning": ("pytorch_lightning", "1.0", "callbacks loggers plugins strategies utilities accelerators overrides"),
}


# Packages that add and remove names in every release, not only in minor ones.
EACH_RELEASE = ("jax",)


def release_of(project, version):
    """Returns the parts of a version that identify a release of the package."""
    return version.release[:3] if project in EACH_RELEASE else version.release[:2]


def releases(session, project):
    """Returns the newest wheel of each release as (version, url), oldest first; for TensorFlow, that of its Keras as well."""
    answer = session.get(f"{PyPI.simple_url}/{project}/")
    answer.raise_for_status()
    page = IndexContent(answer.content, answer.headers["Content-Type"], answer.encoding, answer.url)
    newest = {}
    for link in parse_links(page):
        if not link.filename.endswith(".whl") or link.is_yanked:
            continue
        _, version, _, tags = parse_wheel_filename(link.filename)
        if version.is_prerelease or not any("any" == tag.platform or "manylinux" in tag.platform and "x86_64" in tag.platform for tag in tags):
            continue
        release = release_of(project, version)
        if release not in newest or newest[release][0] < version:
            newest[release] = (version, link.url_without_fragment)
    if project == "tensorflow":
        # From 2.6 on, its Keras 2 is a separate wheel.
        keras = {version.release[:2]: urls for version, *urls in releases(session, "keras") if version.release[0] == 2}
        return [(*newest[release], *(keras.get(release, []) if release >= (2, 6) else [])) for release in sorted(newest)]
    return [newest[release] for release in sorted(newest)]


def statements(body):
    """Yields the statements that run when a module is imported, including those under a test or a try."""
    for node in body:
        yield node
        for inner in ("body", "orelse", "finalbody", "handlers"):
            if not isinstance(node, ast.FunctionDef | ast.ClassDef | ast.AsyncFunctionDef):
                yield from statements(getattr(node, inner, []))


def names_in(source, packages):
    """Returns the names that a module defines, imports from its own packages, or lists for lazy import."""
    names = set()
    for node in statements(ast.parse(source).body):
        if isinstance(node, ast.ImportFrom) and (node.level > 0 or (node.module or "").split(".")[0] in packages):
            names.update(alias.asname or alias.name for alias in node.names)
        elif isinstance(node, ast.FunctionDef | ast.ClassDef | ast.AsyncFunctionDef):
            names.add(node.name)
        elif isinstance(node, ast.Assign | ast.AnnAssign | ast.AugAssign | ast.Expr):
            targets = getattr(node, "targets", [getattr(node, "target", None)])
            names.update(target.id for target in targets if isinstance(target, ast.Name))
            for part in ast.walk(node):
                if isinstance(part, ast.List | ast.Tuple):
                    names.update(each.value for each in part.elts if isinstance(each, ast.Constant) and isinstance(each.value, str))
    return {name for name in names if name.isidentifier()}


def read(project, version, *urls):
    """Returns the names of a release; names in modules are prefixed with the module."""
    kept = CACHE / f"{project}-{version}.json"
    if kept.exists():
        return set(json.loads(kept.read_text()))
    names = set().union(*(names_of(project, url) for url in urls))
    CACHE.mkdir(parents=True, exist_ok=True)
    kept.write_text(json.dumps(sorted(names)))
    return names


def names_of(project, url):
    """Returns the names of a wheel."""
    package, _, modules = PACKAGES[project]
    packages = ("tensorflow", "keras") if project == "tensorflow" else (package,)
    names = set()
    with LazyZipOverHTTP(url, PipSession(retries=5)) as lazy, zipfile.ZipFile(lazy) as wheel:
        files = {name: name for name in wheel.namelist()}
        for folder, public in PUBLIC.get(project, {}).items():
            files.update((name.replace(folder, public), name) for name in wheel.namelist() if name.startswith(folder))

        def add(module, *paths):
            for path in paths:
                if path in files:
                    found = names_in(wheel.read(files[path]).decode("utf-8", "replace"), packages)
                    names.update(f"{module}.{name}" if module else name for name in found)

        # Modules of the package, up to two levels deep, are names, too.
        for file in files:
            parts = file.split("/")
            if parts[0] == package and file.endswith(".py") and len(parts) <= 4:
                inner = parts[1:-1] if parts[-1] == "__init__.py" else [*parts[1:-1], parts[-1][:-3]]
                if inner and (len(inner) == 1 or package in ("torch", "torchvision", "jax", "keras") or inner[0] == "models") and len(inner) < 3:
                    names.add(".".join(inner))
        for module in ["", *modules.split()]:
            base = "/".join([package, *([module.replace(".", "/")] if module else [])])
            add(module, f"{base}/__init__.py", f"{base}.py", f"{base}/_C.pyi")
        if project == "torch":
            add("", "torch/_C/_VariableFunctions.pyi", "torch/_C/__init__.pyi")
            add("nn", "torch/nn/modules/__init__.py")
    return names


def history(found, package):
    """Returns the names added and removed in each release, given the names of each release of a package."""

    def release(index):
        return ".".join(map(str, release_of(package, found[index][0])))

    came, left = {}, {}
    last = found[-1][1]
    for name in set().union(*(names for _, names in found)):
        there = [name in names for _, names in found]
        if name in last:
            # A name that was missing for a while counts from the release in which it returned for good.
            first = len(there) - there[::-1].index(False) if False in there else 0
            if first > 0:
                came.setdefault(release(first), set()).add(name)
        else:
            gone = len(there) - there[::-1].index(True)
            left.setdefault(release(gone), set()).add(name)
            if not there[0]:
                came.setdefault(release(there.index(True)), set()).add(name)
    return came, left


# Names that users do not import: constants, parts of docstrings, variants of an operation, records of the hub's tasks.
IGNORED = re.compile(
    r"[A-Z0-9_]+|\w+_|\w*(?:DOCSTRING|_EXAMPLE|docstring|logger)\w*|\w+_(?:out|copy|backward|symint|scatter|stub)|"
    r"(?:cudnn|miopen|mkldnn|mkldnn_linear|fbgemm|quantized|slow|hspmm|dummy|sym)_\w+|Dummy\w+|(?:TF|Flax|Onnx|OnnxS)[A-Z]\w+|"
    r"[A-Z]\w*(?:Input|Output|Parameters|Chunk|Element|Enum)(?:[A-Z]\w*)?|\w+Type"
)


# Private modules that packages import nevertheless.
IMPORTED_PRIVATE = ("_six", "_dynamo", "_inductor", "_pytree", "_custom_ops")


def is_imported(name, names):
    """True if users import the name: excludes private names, and names whose module is new in the same release."""
    *modules, own = name.split(".")
    if any(module.startswith("_") and module not in IMPORTED_PRIVATE for module in modules) or ".".join(modules) in names:
        return False
    # Types in torch that are implemented in C are not meant for import.
    if not modules and re.fullmatch(r"[A-Z]\w*(?:Storage|StorageBase|Tensor|Guard|Mode|State|Module|Context|Def|Builder|Reader|Writer|Logger)\w*", own):
        return False
    if own.startswith("_"):
        return own in IMPORTED_PRIVATE
    return not IGNORED.fullmatch(own)


def models_in(names):
    """Returns the folders of models without underscores, which are the prefixes of their classes."""
    return {name.removeprefix("models.").replace("_", "") for name in names if re.fullmatch(r"models\.[a-z]\w+", name)}


def rows(by_release):
    order = sorted(by_release, key=lambda release: [int(part) for part in release.split(".")])
    return "".join(f'      "{release}": {" ".join(sorted(by_release[release]))}\n' for release in order if by_release[release])


def table(package, found):
    """Returns the YAML rows of a package."""
    written = f"  {package}:\n    releases: [\"{found[0][0]}\", \"{found[-1][0]}\"]\n"
    if package == "transformers":
        folders, _ = history([(version, models_in(names)) for version, names in found], package)
        written += f"    models:\n{rows(folders)}"
        models = set().union(*(models_in(names) for _, names in found))
        found = [(version, {name for name in names if not name.startswith("models.") and not of_model(name, models)}) for version, names in found]
    modules = set(PACKAGES_BY_NAME[package][2].split())
    found = [(version, {name for name in names if "." not in name or name.rpartition(".")[0] in modules}) for version, names in found]
    for key, by_release in zip(("came", "left"), history(found, package)):
        asked = {release: {name for name in names if is_imported(name, names)} for release, names in by_release.items()}
        # Names inside Hugging Face packages are added with the code that uses them; only removals affect other code.
        if key == "came" and package not in ("torch", "jax", "tensorflow"):
            asked = {release: {name for name in names if "." not in name or name.startswith("errors.")} for release, names in asked.items()}
        if package == "keras":
            asked = {release: {name for name in names if of_keras(name, release, found)} for release, names in asked.items() if key == "left"}
        # The names that TensorFlow removed are internal or moved to Keras 3.
        if package == "tensorflow":
            asked = {release: {name for name in names if "." in name and key == "came"} for release, names in asked.items()}
        # Since 4.52, model classes are listed only in their folders, so they seem to be removed.
        if package == "transformers" and key == "left":
            del asked["4.52"]
        if any(asked.values()):
            written += f"    {key}:\n{rows(asked)}"
    return written


# The part of a class name after the model's name, as in `packageNames.ts`.
CLASS_OF_MODEL = re.compile(
    r"(?:for[a-z]\w*|model\w*|pretrained\w*|config|tokenizer\w*|processor|imageprocessor\w*|videoprocessor\w*|featureextractor|"
    r"lmheadmodel|textmodel|visionmodel|textconfig|visionconfig)?"
)


def of_model(name, models):
    """True for a class of a model, whose folder determines its release."""
    plain = name.lower().replace("_", "")
    return any(plain[:end] in models and CLASS_OF_MODEL.fullmatch(plain[end:]) for end in range(2, len(plain) + 1))


def of_keras(name, release, found):
    """
    True if the absence of a name that Keras removed indicates a release. In some releases, members of shared modules come
    from TensorFlow, as does `backend` up to 2.5. A name that was added later is missing in older releases, too, so its
    absence does not indicate Keras 3.
    """
    if release == "3.0":
        return name in found[0][1] and (name.islower() or name.startswith("layers."))
    return not name.startswith("backend.") and (name.islower() or name.startswith(("layers.", "engine.")))


PACKAGES_BY_NAME = {row[0]: row for row in PACKAGES.values()}

HEAD = """# Names that packages added and removed, by minor release; names in modules are prefixed with the module.
# Source: the Python files in the wheels of the releases, read by scripts/tables/names.py.
"""


def main():
    session = PipSession(retries=5)
    written = HEAD + f'as_of: "{date.today():%Y-%m}"\npackages:\n'
    for project, (package, first, _) in PACKAGES.items():
        wheels = [wheel for wheel in releases(session, project) if wheel[0] >= Version(first)]
        with ThreadPoolExecutor(8) as pool:
            names = list(pool.map(lambda each: read(project, *each), wheels))
        print(project, len(wheels), "releases,", len(names[-1]), "names", flush=True)
        written += table(package, list(zip((version for version, *_ in wheels), names)))
    TABLE.write_text(written)


if __name__ == "__main__":
    main()
