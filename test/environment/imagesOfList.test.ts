/** A requirements list is judged with the Python of the images into which Dockerfiles nearby install it. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readEnvironment } from '../../server/src/environment/read.ts';

const LIST = 'torch==1.12.1\n';
const install = (image: string) => `FROM ${image}\nCOPY requirements.txt .\nRUN pip install -r requirements.txt\n`;

function pythonOf(files: Readonly<Record<string, string>>) {
  const all: Readonly<Record<string, string>> = { 'requirements.txt': LIST, ...files };
  const read = (path: string) => all[path];
  const [first] = readEnvironment('requirements', LIST, read, '/project/requirements.txt').installations;
  return { python: first?.python?.specifier, isIntoOther: first?.isIntoOther };
}

test('one image has one Python', () => {
  assert.deepEqual(pythonOf({ Dockerfile: install('python:3.8') }), { python: '>=3.8,<3.9', isIntoOther: false });
});

test('of several images, the range counts', () => {
  const found = pythonOf({ Dockerfile: install('python:3.8'), 'docker/Dockerfile': install('python:3.10-slim') });
  assert.equal(found.python, '>=3.8,<3.11');
});

test('an image whose Python is unknown leaves it unknown', () => {
  const found = pythonOf({ Dockerfile: `${install('python:3.8')}${install('nvcr.io/nvidia/pytorch:24.01-py3')}` });
  assert.deepEqual(found, { python: undefined, isIntoOther: true });
});

test('an image that does not install the list says nothing about it', () => {
  assert.deepEqual(pythonOf({ Dockerfile: 'FROM python:3.8\nCOPY requirements.txt .\n' }), {
    python: undefined,
    isIntoOther: false,
  });
  assert.equal(pythonOf({}).python, undefined);
});
