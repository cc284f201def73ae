/** Errors that unmet requirements of the installed packages explain. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { judgeStack } from '../../server/src/diagnosis/judgeStack.ts';
import { explainErrors } from '../../server/src/explain/explain.ts';
import { readPaste } from '../../server/src/explain/reading/paste.ts';
import { readStack } from '../../server/src/stack/readStack.ts';
import { describedMachine } from '../stack/describedMachine.ts';

const SITE = '/home/ada/project/.venv/lib/python3.10/site-packages';

async function firstFor(packages: string[], text: string, inPackages = {}): Promise<string | undefined> {
  const facts = await readStack(describedMachine({ packages, inPackages }));
  return explainErrors(readPaste(text), { facts, verdicts: judgeStack(facts) })[0]?.title;
}

const ONNX = ['onnx==1.19.1 ml-dtypes>=0.5.0', 'ml-dtypes==0.4.1'];

const failure = (file: string, message: string) =>
  `Traceback (most recent call last):\n  File "/home/ada/project/prog.py", line 1, in <module>\n    import onnx\n  File "${file}", line 104, in <module>\n    np.dtype(ml_dtypes.float4_e2m1fn)\n${message}\n`;

const LACKING = "AttributeError: module 'ml_dtypes' has no attribute 'float4_e2m1fn'";

test('the requirement of the failing package is named first', async () => {
  assert.equal(
    await firstFor(ONNX, failure(`${SITE}/onnx/_mapping.py`, LACKING)),
    'onnx 1.19.1 requires ml-dtypes>=0.5.0; 0.4.1 is installed',
  );
});

test('a missing module is named, even if the program itself imports it', async () => {
  const text =
    'Traceback (most recent call last):\n  File "/home/ada/project/prog.py", line 2, in <module>\n    import triton\n';
  assert.equal(
    await firstFor(['transformers==4.44.0 triton==3.2.0'], `${text}ModuleNotFoundError: No module named 'triton'\n`),
    'transformers 4.44.0 requires triton==3.2.0, which is not installed',
  );
});

test('of several packages that require a missing one, the one whose bound decides is named', async () => {
  const text =
    'Traceback (most recent call last):\n  File "/home/ada/project/prog.py", line 2, in <module>\n    import jaxlib\n';
  const chex = 'chex==0.1.86 jaxlib>=0.1.37';
  const first = (jax: string) => firstFor([chex, jax], `${text}ModuleNotFoundError: No module named 'jaxlib'\n`);
  assert.equal(
    await first('jax==0.4.30 jaxlib<=0.4.30,>=0.4.27'),
    'jax 0.4.30 requires jaxlib<=0.4.30,>=0.4.27, which is not installed',
  );
  assert.equal(await first('jax==0.4.30'), 'chex 0.1.86 requires jaxlib>=0.1.37, which is not installed');
});

test('a failure in the packages of another Python is not explained by this one', async () => {
  const elsewhere = failure('/opt/other/lib/python3.10/site-packages/onnx/_mapping.py', LACKING);
  assert.doesNotMatch((await firstFor(ONNX, elsewhere)) ?? '', /requires ml-dtypes/);
});

test('an error that does not concern the required package is not explained by it', async () => {
  const message = "ValueError: Input 'x' is undefined!";
  assert.doesNotMatch((await firstFor(ONNX, failure(`${SITE}/onnx/checker.py`, message))) ?? '', /requires ml-dtypes/);
});

test('a module without its files is explained by the list of its files', async () => {
  const text =
    "Traceback (most recent call last):\n  File \"/home/ada/project/prog.py\", line 2, in <module>\n    onnxruntime.InferenceSession\nAttributeError: module 'onnxruntime' has no attribute 'InferenceSession'\n";
  const RECORD = { 'onnxruntime-1.18.1.dist-info/RECORD': 'onnxruntime/__init__.py,sha256=x,4288\n' };
  const lost = 'onnxruntime 1.18.1 has lost its files: another package with the same modules was removed';
  assert.equal(await firstFor(['onnxruntime==1.18.1'], text, RECORD), lost);
  const whole = { ...RECORD, 'onnxruntime/__init__.py': '' };
  assert.notEqual(await firstFor(['onnxruntime==1.18.1'], text, whole), lost);
});

test('a symbol that compiled code lacks is explained by the framework that the package requires', async () => {
  const packages = ['tensorflow-cpu==2.16.2', 'tensorflow-text==2.15.0 tensorflow>=2.15.0,<2.16'];
  const file = `${SITE}/tensorflow_text/core/pybinds/tflite_registrar.so`;
  const message = `ImportError: ${file}: undefined symbol: _ZN4absl12lts_2023012516raw_log_internal21internal_log_functionB5cxx11E`;
  assert.match(
    (await firstFor(packages, failure(file, message))) ?? '',
    /^tensorflow-text 2\.15\.0 requires tensorflow/,
  );
});

test('an edition of a package has its modules', async () => {
  const text = failure(`${SITE}/tensorflow/core/function_pb2.py`, 'TypeError: Descriptors cannot be created directly.');
  const inTraceback = text.replace('TypeError', `  File "${SITE}/google/protobuf/descriptor.py", line 5\nTypeError`);
  const of = (protobuf: string) =>
    firstFor(['tensorflow-cpu==2.8.4 protobuf<3.20,>=3.9.2', `protobuf==${protobuf}`], inTraceback);
  assert.equal(await of('4.25.3'), 'tensorflow-cpu 2.8.4 requires protobuf<3.20,>=3.9.2; 4.25.3 is installed');
  assert.doesNotMatch((await of('3.19.6')) ?? '', /requires protobuf/);
});

test('a package that NumPy names before the exception is explained by its requirement', async () => {
  const before = 'A module that was compiled using NumPy 1.x cannot be run in\nNumPy 2.0.2 as it may crash.\n';
  const text = `${before}${failure(`${SITE}/tensorflow/python/framework/dtypes.py`, 'AttributeError: _ARRAY_API not found')}`;
  const of = (numpy: string) => firstFor(['tensorflow-cpu==2.15.1 numpy<2.0.0,>=1.23.5', `numpy==${numpy}`], text);
  assert.match((await of('2.0.2')) ?? '', /^tensorflow-cpu 2\.15\.1 requires numpy<2/);
  assert.doesNotMatch((await of('1.26.4')) ?? '', /requires numpy/);
});

test('a missing module is found though its package has another name', async () => {
  const text = `${failure(`${SITE}/chex/_src/asserts.py`, "ModuleNotFoundError: No module named 'absl'")}`;
  assert.equal(
    await firstFor(['chex==0.1.7 absl-py>=0.9.0'], text),
    'chex 0.1.7 requires absl-py>=0.9.0, which is not installed',
  );
});

test('a symbol that torchaudio lacks is explained by its release', async () => {
  const inPackages = { 'torch/version.py': "__version__ = '2.6.0+cu124'\ncuda = '12.4'\nhip = None\n" };
  const file = `${SITE}/torchaudio/lib/libtorchaudio.so`;
  const text = failure(
    `${SITE}/torchaudio/__init__.py`,
    `OSError: ${file}: undefined symbol: _ZN2at4_ops9fft_irfft4callE`,
  );
  const of = (version: string) => firstFor(['torch==2.6.0', `torchaudio==${version}`], text, inPackages);
  assert.match((await of('2.5.0')) ?? '', /^torchaudio 2\.5\.0 does not match torch 2\.6\.0/);
  assert.doesNotMatch((await of('2.6.0')) ?? '', /does not match/);
});

test('a remedy whose program is missing here follows the others', async () => {
  const text =
    'Encountered 1 file(s) that should have been pointers\nYou seem to have cloned a repository without having git-lfs installed. Please install it.\n';
  const facts = await readStack(describedMachine({ packages: [] }));
  const firstWith = (programs: string[]) => {
    const known = { ...facts, programs: { value: programs, source: 'PATH', readAt: '' } };
    return explainErrors(readPaste(text), { facts: known, verdicts: [] })[0]?.remedies[0]?.title;
  };
  assert.equal(firstWith(['git', 'git-lfs', 'pip']), 'Fetch the real files');
  assert.equal(firstWith(['git', 'pip']), 'Download them without Git');
});
