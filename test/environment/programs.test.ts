/** Installations in programs are checked like requirements files: `setup.py`, and shell lines of notebooks. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { lint } from '../../server/src/lint/lint.ts';
import { judgeInstallations } from '../../server/src/lint/lintInstallations.ts';
import { type Source, script } from '../../server/src/python/semantic/source.ts';

const notebook = (...cells: string[]): Source => ({
  path: 'train.ipynb',
  kind: 'notebook',
  cells: cells.map((text, index) => ({ index, text })),
});

/** Each finding as "cell:line CODE". */
function found(source: Source, judge = judgeInstallations): string[] {
  const { program, findings } = lint(source, { judgeInstallations: judge });
  return findings
    .filter(({ severity }) => severity !== 'hint')
    .map(({ code, span }) => {
      const { cell, line } = program.placeOf(span.start);
      return `${cell}:${line + 1} ${code}`;
    });
}

test('shell lines and magics of a notebook are one installation', () => {
  assert.deepEqual(
    found(
      notebook(
        'import os\n!pip install -q torch==2.9.0 \\\n    numpy\n',
        '%pip install torchvision==0.23.0\n',
        '!{sys.executable} -m pip install "torchaudio==2.8.0"  # torchtext==0.15.2\n',
      ),
    ),
    ['1:1 GPU601', '2:1 GPU601'],
  );
});

test('a notebook with matching installations has no findings', () => {
  assert.deepEqual(
    found(
      notebook(
        '# !pip install torchvision==0.23.0\n!pip install torch==2.9.0 torchvision==0.24.0\n',
        'version = "0.23.0"\nprint("!pip install torchvision==0.23.0")\n!pip install torchvision=={version} --dry-run\n',
        '!echo pip install torchvision==0.23.0\n',
      ),
    ),
    [],
  );
});

test("a comment suppresses a finding in a notebook's installation", () => {
  assert.deepEqual(
    found(notebook('# gpu-doctor: ignore-file[GPU601]\n!pip install torch==2.9.0 torchvision==0.23.0\n')),
    [],
  );
});

test('the literals of setup.py are an installation', () => {
  const text = [
    'from setuptools import setup',
    'REQUIRED = ["torch==2.9.0", "torchvision==0.23.0"]',
    'if __name__ == "__main__":',
    '    setup(name="x", install_requires=REQUIRED, extras_require={"audio": ["torchaudio==2.8.0"]})',
    '',
  ].join('\n');
  assert.deepEqual(found(script('setup.py', text)), ['0:2 GPU601', '0:4 GPU601']);
});

test('a list in a dictionary of setup.py is read through names and keys', () => {
  const text = (key: string) =>
    [
      'from setuptools import setup',
      'requirements = {"install": ["torch==2.9.0", "torchvision==0.23.0"], "test": ["torch==2.9.0"]}',
      `install_requires = requirements["${key}"]`,
      'setup(install_requires=install_requires)',
    ].join('\n');
  assert.deepEqual(found(script('setup.py', text('install'))), ['0:2 GPU601']);
  for (const key of ['test', 'missing']) assert.deepEqual(found(script('setup.py', text(key))), [], key);
  const circle = 'from setuptools import setup\na = b["x"]\nb = a["x"]\nsetup(install_requires=a)\n';
  assert.deepEqual(found(script('setup.py', circle)), []);
});

test('values that setup.py computes or does not pass to setup() are not requirements', () => {
  for (const text of [
    'from setuptools import setup\nOTHERS = ["torchvision==0.23.0"]\nsetup(install_requires=["torch==2.9.0"])\n',
    'from setuptools import setup\nR = ["torch==2.9.0"]\nR += ["x"]\nsetup(install_requires=R + ["torchvision==0.23.0"])\n',
    'def setup(**kwargs): ...\nsetup(requires=["torch==2.9.0", "torchvision==0.23.0"])\n',
    'from setuptools import setup\nsetup(install_requires=[f"torch=={version}", "torchvision==0.23.0"])\n',
  ])
    assert.deepEqual(found(script('setup.py', text)), [], text);
  assert.deepEqual(found(script('other.py', 'setup(install_requires=["torch==2.9.0", "torchvision==0.23.0"])\n')), []);
});

test('a setup.py that imports torch is reported, unless its build declares torch', () => {
  const source = script(
    'setup.py',
    'from setuptools import setup\nfrom torch.utils.cpp_extension import CUDAExtension\nsetup()\n',
  );
  const beside = (text?: string) => (program: Parameters<typeof judgeInstallations>[0]) =>
    judgeInstallations(program, {}, (path) => (path === 'pyproject.toml' ? text : undefined));
  assert.deepEqual(found(source, beside()), ['0:2 GPU607']);
  assert.deepEqual(found(source, beside('[build-system]\nrequires = ["setuptools"]\n[project]\nname = "torch-x"\n')), [
    '0:2 GPU607',
  ]);
  assert.deepEqual(found(source, beside('[build-system]\nrequires = ["setuptools", "torch>=2"]\n')), []);
  const handled =
    'from setuptools import setup\ntry:\n    import torch\nexcept ImportError:\n    torch = None\nsetup()\n';
  assert.deepEqual(found(script('setup.py', handled), beside()), []);
});
