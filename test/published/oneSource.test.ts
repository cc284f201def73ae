/** Facts about packages and releases are in the files of `published/`: code asks for them and keeps no lists or releases of its own. */
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { root } from '../../scripts/root.ts';
import { gpuPackageFiles } from '../../server/src/published/gpuPackages.ts';

const sources = globSync('server/src/**/*.ts', { cwd: root })
  .filter((file) => !file.startsWith(path.join('server', 'src', 'published')))
  .map((file) => ({ file: file.split(path.sep).slice(2).join('/'), text: readFileSync(path.join(root, file), 'utf8') }))
  .sort((left, right) => left.file.localeCompare(right.file));

/** Comments blanked out, so that what they cite is no code. */
const withoutComments = (text: string) =>
  text.replace(/\/\*[\s\S]*?\*\/|(?<=^|[\s;,{}()[\]])\/\/ .*$/gm, (comment) => comment.replace(/[^\n]/g, ' '));

/** Names of packages and modules, as pip and Python spell them. */
const known: ReadonlySet<string> = new Set(
  Object.entries(gpuPackageFiles()).flatMap(([name, { imports = [], editions = [], conda = [] }]) => [
    name,
    name.replaceAll('-', '_'),
    ...imports,
    ...editions,
    ...conda,
  ]),
);

/** Arrays, objects, sets written as one text, unions, and alternatives of an expression: the forms that a list of names has. */
const LISTS: readonly RegExp[] = [
  /\[[^[\]]*\]/g,
  /\{[^{}]*\}/g,
  /`[^`]*`/g,
  /(?:'[\w-]+'\s*\|\s*){2,}'[\w-]+'/g,
  /\/(?![/*])(?:[^/\\\n]|\\.)+\/[a-z]*(?=[.,;)\s])/g,
];

const MOST = 2;

/** The packages that each list of a source names, where it names more than two. */
function listsIn(text: string): string[] {
  const found = LISTS.flatMap((form) =>
    [...withoutComments(text).matchAll(form)].map(([list]) => {
      const words = list.startsWith('/')
        ? [...list.matchAll(/(?<![\w\\.])[a-z][\w-]*/g)].map(([word]) => word)
        : [...list.matchAll(/'([\w-]+)'|(?<=[{,]\s*)([\w-]+)(?=:)|(?<=[`\s])([a-z][\w-]+)(?=[`\s])/g)].map(
            (match) => match[1] ?? match[2] ?? match[3] ?? '',
          );
      return [...new Set(words)].filter((word) => known.has(word)).sort();
    }),
  );
  return [...new Set(found.filter((names) => names.length > MOST).map((names) => names.join(' ')))];
}

/** Lists that are about something else than facts of packages, each with the reason. */
const LISTS_OF_OTHERS: Readonly<Record<string, string>> = {
  // The shape of facts: a field for each framework that a machine is asked about.
  'stack/facts/nothingYet.ts: jax onnxruntime tensorflow torch': 'fields of the facts',
  'stack/facts/nothingYet.ts: jax keras onnxruntime tensorflow torch torchaudio torchvision': 'fields of the facts',
  'stack/facts/runtimeFacts.ts: jax onnxruntime tensorflow torch': 'fields of the facts',
  'stack/builds/gpuCode.ts: jax onnxruntime tensorflow torch': 'publishers by a field of the facts',
  'stack/readers/findInterpreters.ts: jax keras onnxruntime onnxruntime-gpu tensorflow torch': 'the order of a list',
  'stack/runtime/probe.ts: jax onnxruntime tensorflow torch': 'the tasks of the probe',
  'loading/here.ts: keras onnxruntime tensorflow torch': 'fields of the facts',
  'diagnosis/judges/builds.ts: jax tensorflow torch': 'fields of the facts',
  'diagnosis/record/recordedStack.ts: jax keras onnxruntime tensorflow tf-keras torch torchaudio torchvision':
    'keys of the file format gpu-stack.yaml',
  'diagnosis/smoke/smokeReadout.ts: jax onnxruntime tensorflow torch': 'titles by a field of the facts',
  'explain/conditions/installed.ts: keras tensorflow torch': 'fields of the facts',
  'pasted/report.ts: onnxruntime tensorflow torch': 'fields of a report',
  'pasted/reportedSoftware.ts: jax keras onnxruntime tensorflow tf-keras torch torchaudio torchvision':
    'fields of the facts',
  // The syntax of what programs print and people write.
  'explain/frameworks.ts: ctranslate2 cupy jax onnxruntime': 'expressions for printed texts, by framework',
  'messages/schema.ts: ctranslate2 cupy jax onnxruntime tensorflow torch': 'frameworks that messages are filed under',
  'pasted/form.ts: keras tf-keras torchaudio torchvision': 'questions of a bug form that are fields of the facts',
  'pasted/huggingFace.ts: flax tensorflow torch': 'lines of `transformers env` with a meaning of their own',
  'pasted/huggingFace.ts: huggingface-hub pytorch torch': 'titles that `transformers env` prints',
  'pasted/labelledReports.ts: jax jaxlib numpy': 'labels that `jax.print_environment_info()` prints',
  'diagnosis/readout/shareable.ts: jax keras tensorflow torch': 'words that are no names of people or hosts',
  // Functions of Python that a rule or a reader is about.
  'explain/judgedLine.ts: numpy tensorflow torch transformers': 'import lines of a program that is judged',
  'python/semantic/canonicalNames.ts: keras lightning tensorflow tf_keras torch': 'qualified names of functions',
  'python/semantic/canonicalNames.ts: keras tensorflow tf_keras': 'qualified names of functions',
  'python/semantic/nameResolution.ts: keras tensorflow torch': 'names that programs give to modules',
  'rules/cudaVisibleDevicesTooLate.ts: accelerate joblib ray torch': 'functions that start processes',
  'rules/engine/contract.ts: jax tensorflow torch': 'values of KERAS_BACKEND that rules distinguish',
  'guards/projectView.ts: jax tensorflow torch': 'values of KERAS_BACKEND that rules distinguish',
  'rules/fixes/gpuOnlyFunctions.ts: apex cupy jax numba pycuda tensorflow torch': 'functions that no extension defines',
  'rules/kerasLoadModelUnguarded.ts: jax keras tensorflow torch': 'functions that select a device',
  'rules/queries/cudaOnlyChoices.ts: intel_extension_for_pytorch torch_directml torch_npu torch_xla':
    'words of a program that supports other devices',
  'rules/queries/gpuFrameworks.ts: jax numpy scipy': 'functions of JAX',
  'rules/queries/kerasBackend.ts: jax tensorflow torch': 'values of KERAS_BACKEND that rules distinguish',
  'rules/queries/loadedValue.ts: numpy pandas scipy sklearn torch torch_geometric': 'functions that need no GPU',
  'rules/queries/savedDevice.ts: h5py numpy pandas scipy sklearn torch torchvision':
    'functions whose values are on the CPU',
  'settings/requirements.ts: lightning tensorflow torch': 'words without which a file is not parsed',
  // Formats of checkpoints and the programs that write them.
  'checkpoint/checkpoint.ts: joblib keras nemo numpy onnx safetensors torch': 'names of file formats',
  'checkpoint/formats/declaration.ts: keras safetensors transformers': 'loaders of formats',
  'checkpoint/folderCode.ts: diffusers sentence_transformers transformers':
    'modules that an adapter may name as a parent',
  'checkpoint/formats/hdf5/format.ts: h5py keras transformers': 'loaders of formats',
  'checkpoint/formats/hdf5/hdf5.ts: jax numpy tensorflow torch': 'fields of a format',
  // Each has code of its own.
  'commands/adapted.ts: jax onnxruntime-gpu tensorflow': 'packages with a table of releases, each read by its own code',
  'commands/taken.ts: jax onnxruntime-gpu tensorflow torch': 'tables that are read by own code',
  'environment/providedCuda.ts: jax jaxlib onnxruntime-gpu tensorflow torch': 'tables that are read by own code',
  'solver/choose.ts: ctranslate2 cupy faster-whisper jax onnxruntime tensorflow torch':
    'tables that are read by own code',
  'environment/rules/contradictions/builds.ts: flashinfer h5py joblib lz4 numpy pandas pillow protobuf safetensors scipy torch torchao torchcodec torchdata torchtext torchtune triton vllm xformers xgrammar':
    'projects on the index of PyTorch, which no package file describes',
  'environment/rules/incompatibleVersions.ts: numpy protobuf torch': 'two packages that come along, and torch',
};

test('no list in code names packages that their files describe', () => {
  const lists = sources.flatMap(({ file, text }) => listsIn(text).map((names) => `${file}: ${names}`));
  assert.deepEqual(
    lists.filter((list) => !(list in LISTS_OF_OTHERS)),
    [],
    'state it in the files of published/packages, and look it up',
  );
  assert.deepEqual(
    Object.keys(LISTS_OF_OTHERS).filter((list) => !lists.includes(list)),
    [],
    'remove exceptions that nothing needs',
  );
});

test('a list of packages is found in each form', () => {
  for (const list of [
    "const A = ['torch', 'jax', 'keras'];",
    "const A = { torch: 1, jax: 2, 'tf-keras': 3 };",
    'const A = new Set(`torch jax\n  keras`.split(/\\s+/));',
    "type A = 'torch' | 'jax' | 'keras';",
    'const A = /^(?:torch|jax|keras)$/;',
  ])
    assert.equal(listsIn(list).length, 1, list);
  assert.deepEqual(listsIn("const A = ['torch', 'jax']; // ['torch', 'jax', 'keras']"), []);
});

/** A string that is a release, and a release behind the name of a package, as pip or people write it. */
const RELEASE = /(['"`])v?\d+(?:\.\d+)+\1/g;
const titles = [...known].filter((name) => name.length > 2).map((name) => name.replaceAll(/[-_]/g, '[-_ ]'));
const NAMED_RELEASE = new RegExp(
  `\\b(?:${titles.join('|')}|cudnn|cuda)(?:\\[[\\w,-]+\\])? ?[<>=~!]{0,2} ?\\d+\\.\\d+(?:\\.\\d+)*`,
  'gi',
);

function releasesIn(text: string): string[] {
  const code = withoutComments(text);
  return [...new Set([...code.matchAll(RELEASE), ...code.matchAll(NAMED_RELEASE)].map(([release]) => release))];
}

/** Numbers with a dot that are no facts about releases, by file, each with the reason. */
const RELEASES_OF_OTHERS: Readonly<Record<string, { readonly releases: readonly string[]; readonly because: string }>> =
  {
    'checkpoint/folderCode.ts': { releases: ["'4.36'"], because: 'what transformers refuses is in no table' },
    'checkpoint/formats/tarFile.ts': { releases: ['PyTorch 0.1'], because: 'the name of a file format' },
    'checkpoint/networks.ts': {
      releases: [
        ...["'127.0.0.0'", "'0.0.0.0'", "'169.254.0.0'", "'10.0.0.0'", "'100.64.0.0'", "'172.16.0.0'", "'192.0.0.0'"],
        ...["'192.168.0.0'", "'198.18.0.0'", "'224.0.0.0'"],
      ],
      because: 'addresses',
    },
    'cli/agents/tools.ts': { releases: ['torch==2.6'], because: 'an example of a requirement' },
    'cli/commands.ts': { releases: ['torch==2.6'], because: 'an example of a requirement' },
    'cli/plan.ts': { releases: ['torch==2.6'], because: 'an example of a requirement' },
    'diagnosis/record/recordedStack.ts': {
      releases: ['"2.6.0"', '"8.6"', 'CUDA 12.4'],
      because: 'examples in descriptions of the schema',
    },
    'diagnosis/judges/container.ts': { releases: ["'1.8'"], because: 'a library of the system, which is no package' },
    'environment/rules/oldGpuCode.ts': { releases: ["'12.0'", "'9.0'", "'8.0'"], because: 'compute capabilities' },
    'explain/parts/releases.ts': {
      releases: ["'6.1'", "'7.0'", "'7.5'", "'8.0'", "'8.6'"],
      because: 'compute capabilities',
    },
    'explain/conditions/names.ts': {
      releases: ["'2.5'"],
      because: 'generations of Keras, as the conditions are named',
    },
    'explain/conditions/text.ts': {
      releases: ["'8.8'"],
      because: 'a number in a message, from which on builds load cuDNN from wheels',
    },
    'explain/parts/versionNumbers.ts': {
      releases: ["'8.0'"],
      because: 'numbers in the names of libraries before CUDA 9',
    },
    'stack/readers/packages.ts': {
      releases: ["'9.2'"],
      because: 'the only tag of two digits that may be two numbers',
    },
    'loading/kerasHere.ts': { releases: ['Keras 3.0'], because: 'the release that an expression beside it matches' },
    'provision/forms/lines.ts': { releases: ['cuda < 9.2'], because: 'the oldest CUDA of conda-forge' },
    'report/junit.ts': { releases: ['"1.0"'], because: 'the version of XML' },
    'report/sarif.ts': { releases: ["'2.1.0'"], because: 'the version of SARIF' },
    'fit/builds/pythons.ts': { releases: ["'3.99'"], because: 'stands for any later Python' },
  };

test('no release of a package is written in code', () => {
  const found = sources.flatMap(({ file, text }) => {
    const allowed = RELEASES_OF_OTHERS[file]?.releases ?? [];
    const others = releasesIn(text).filter((release) => !allowed.includes(release));
    return others.length === 0 ? [] : [`${file}: ${others.join(' ')}`];
  });
  assert.deepEqual(found, [], 'state it in a table of published/releases, and ask for it');
  for (const [file, { releases }] of Object.entries(RELEASES_OF_OTHERS)) {
    const text = sources.find((source) => source.file === file)?.text ?? '';
    assert.deepEqual(
      releases.filter((release) => !releasesIn(text).includes(release)),
      [],
      `exceptions of ${file}`,
    );
  }
});

test('a release is found as a string and behind a name', () => {
  assert.deepEqual(releasesIn("isAtLeast(version, '2.6')"), ["'2.6'"]);
  assert.deepEqual(releasesIn("{ title: 'Install TensorFlow 2.17, which' }"), ['TensorFlow 2.17']);
  assert.deepEqual(releasesIn("quoted('numpy<1.24')"), ['numpy<1.24']);
  assert.deepEqual(releasesIn("// since '2.6'\nconst GPUS = 3;"), []);
});
