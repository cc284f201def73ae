/** The kinds of input besides checkpoints, each with valid examples and the whole path it takes through the program. */
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'yaml';
import { createCheckpointCache } from '../../server/src/checkpoint/checkpointCache.ts';
import { checkDocument } from '../../server/src/cli/checkFile.ts';
import { readRecord } from '../../server/src/diagnosis/record/readRecord.ts';
import { explainErrors } from '../../server/src/explain/explain.ts';
import { gather } from '../../server/src/explain/gather.ts';
import { readPaste, unknownError } from '../../server/src/explain/reading/paste.ts';
import { encodeDocument, readDocument } from '../../server/src/files/document.ts';
import { Trouble } from '../../server/src/files/trouble.ts';
import { readConfiguration } from '../../server/src/settings/configuration.ts';
import type { Case } from '../cases/explainCase.ts';

interface Kind {
  readonly examples: readonly Buffer[];
  /** Processes the bytes as the command line does, including the output. Throws only for bugs. */
  readonly read: (bytes: Buffer, example: number) => Promise<unknown>;
}

const tests = path.join(import.meta.dirname, '..');

/** Files of the tests, with the command line's results: findings, fixes and the fixed bytes. */
function filesOf(pattern: string): Kind {
  const names = globSync(pattern, { cwd: tests }).sort();
  const checkpoints = createCheckpointCache();
  return {
    examples: names.map((name) => readFileSync(path.join(tests, name))),
    async read(bytes, example) {
      const name = path.join('/nowhere', path.basename(names[example] ?? ''));
      try {
        const document = readDocument(name, bytes);
        const { result, source } = await checkDocument(name, document, {
          action: 'diff',
          hints: true,
          options: {},
          checkpoints,
        });
        const failed = result.troubles.find((trouble) => trouble.includes('report it'));
        if (failed) throw new Error(failed);
        encodeDocument(document, source);
      } catch (error) {
        if (!(error instanceof Trouble)) throw error;
      }
    },
  };
}

const CONFIGURATIONS = [
  [
    '.gpu-doctor.yaml',
    `select: [GPU1, GPU202]
ignore:
  - GPU104 # not here
exclude: ["old/", '**/generated_*.py']
severity: {GPU101: error, GPU202: off}
per-file-ignores:
  "tests/**": [GPU2]
guard-names: [has_gpu]
loaders:
  - name: mylib.load
    device-parameter: map_location
`,
  ],
  [
    'pyproject.toml',
    `[project]
dependencies = ["torch>=2.1,<2.6"]
[tool.gpu-doctor]
select = ["GPU1"]
exclude = ['old/']
[tool.gpu-doctor.severity]
GPU101 = "error"
[[tool.gpu-doctor.loaders]]
name = "mylib.load"
`,
  ],
] as const;

const RECORD = `version: 1
recorded: 2026-01-02T03:04:05Z
gpus:
  - name: NVIDIA H100 80GB HBM3
    memory: 80 GiB
    capability: "9.0"
driver: "550.54.15"
cuda: "12.4"
frameworks:
  torch: {version: 2.6.0, cuda: "12.4"}
`;

export const KINDS: Readonly<Record<string, Kind>> = {
  python: filesOf('rules/GPU*/*.py'),
  notebooks: filesOf('rules/GPU*/*.ipynb'),
  environments: filesOf('environment/rules/GPU*/*/*.{txt,in,toml,yml,yaml,cfg}'),
  configurations: {
    examples: CONFIGURATIONS.map(([, text]) => Buffer.from(text)),
    read: (bytes, example) => readConfiguration(CONFIGURATIONS[example]?.[0] ?? '', bytes.toString()),
  },
  errors: {
    examples: globSync('cases/*.yaml', { cwd: tests })
      .sort()
      .flatMap((name) => parse(readFileSync(path.join(tests, name), 'utf8')))
      .map(({ text }: Case) => Buffer.from(text)),
    async read(bytes) {
      const paste = readPaste(bytes.toString());
      const nothing = async () => undefined;
      explainErrors(paste, await gather(paste, undefined, { readText: nothing, readCheckpoint: nothing }, '/nowhere'));
      unknownError(paste);
    },
  },
  records: {
    examples: [Buffer.from(RECORD)],
    read: async (bytes) => readRecord(bytes.toString()),
  },
};
