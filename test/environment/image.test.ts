import assert from 'node:assert/strict';
import { test } from 'node:test';
import { judgeEnvironment, readEnvironmentText } from '../../server/src/lint/lintEnvironment.ts';
import { pythonInImage } from '../../server/src/published/images.ts';
import { script } from '../../server/src/python/semantic/source.ts';

const pythonOf = (image: string, ...packages: readonly string[]) => pythonInImage(image, packages);

test("a distribution's image has the Python of its python3 package", () => {
  assert.equal(pythonOf('ubuntu:20.04', 'curl', 'python3-pip'), '3.8');
  assert.equal(pythonOf('ubuntu:jammy', 'python3'), '3.10');
  assert.equal(pythonOf('debian:bookworm-slim', 'python3', 'python3-venv'), '3.11');
  assert.equal(pythonOf('nvidia/cuda:12.4.1-cudnn-devel-ubuntu22.04', 'python3-dev'), '3.10');
});

test("the Python is unknown if it is not the system's", () => {
  assert.equal(pythonOf('ubuntu:20.04', 'curl'), undefined);
  assert.equal(pythonOf('ubuntu:20.04', 'python3', 'python3.11'), undefined);
  assert.equal(pythonOf('ubuntu:20.04', 'software-properties-common', 'python3-pip'), undefined);
  assert.equal(pythonOf('nvidia/cuda:12.4.1-devel-rockylinux9', 'python3'), undefined);
  assert.equal(pythonOf('somebody/cuda:1-ubuntu22.04', 'python3'), undefined);
  assert.equal(pythonOf('ubuntu:latest', 'python3'), undefined);
});

test('pip selects a torch from PyPI for that Python', () => {
  const text = [
    'FROM nvidia/cuda:11.6.2-cudnn8-devel-ubuntu20.04',
    'RUN apt-get install -y python3-pip',
    'RUN pip3 install torch --extra-index-url https://download.pytorch.org/whl/cu116',
  ].join('\n');
  const findings = judgeEnvironment(readEnvironmentText('dockerfile', script('Dockerfile', text)), {});
  assert.deepEqual(
    findings.filter(({ severity }) => severity !== 'hint').map(({ message }) => message),
    ['pip installs torch 2.4 for CUDA 12.1 from PyPI: the index for CUDA 11.6 ends at torch 1.13.'],
  );
});
