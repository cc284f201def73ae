/** The parts of the test suite, and how they are run. */
import { spawnSync } from 'node:child_process';
import { globSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import path from 'node:path';
import { root } from './root.ts';

interface Part {
  readonly what: string;
  readonly includes: readonly string[];
  readonly excludes?: readonly string[];
  /** Files that run at a time; without it, one a core. */
  readonly concurrency?: number;
}

/** Tests that start processes, which takes them seconds. */
const PROGRAMS = [
  'test/cli/**/*.test.ts',
  'test/lsp/**/*.test.ts',
  'test/portability/**/*.test.ts',
  'test/schemas/**/*.test.ts',
  'test/stack/{collectEnv,probe,runtime,smoke}.test.ts',
  'test/scripts/newRule.test.ts',
];

const PARTS = {
  house: { what: 'types, style and who imports whom', includes: ['test/*.test.ts'] },
  unit: {
    what: 'what is a function',
    includes: ['test/*/**/*.test.ts'],
    excludes: [...PROGRAMS, 'test/editor/**', 'test/proof/**', 'test/**/fuzz/**', 'test/install/**'],
  },
  programs: { what: 'the command line, the language server, and what they start', includes: PROGRAMS },
  proof: { what: 'what the fixes write, under real PyTorch and Keras', includes: ['test/proof/*.test.ts'] },
  fuzz: { what: 'damaged input', includes: ['test/**/fuzz/*.test.ts'] },
  install: { what: 'the packed command in clean folders', includes: ['test/install/*.test.ts'] },
  // Each has a browser and a workbench of its own.
  editor: { what: 'the real VS Code', includes: ['test/editor/*.test.ts'], concurrency: 2 },
} as const satisfies Record<string, Part>;

export type PartName = keyof typeof PARTS;

export const PART_NAMES = Object.keys(PARTS) as readonly PartName[];

/** The test files of a part, in the order in which their names sort. */
export function filesOf(name: PartName): string[] {
  const { includes, excludes = [] }: Part = PARTS[name];
  return globSync([...includes], { cwd: root, exclude: [...excludes] }).sort();
}

/** What has the tests' many processes start quickly: bundled programs, and modules that are compiled once for all. */
const QUICK_STARTS = {
  GPU_DOCTOR_BUNDLES: path.join(root, 'dist'),
  NODE_COMPILE_CACHE: path.join(root, 'node_modules', '.cache', 'compiled'),
};

/**
 * Runs parts one after the other, or of them only what is asked for: files by their path, tests by their name; the bundles have
 * been built. Says which part it is in and how long each took.
 * @throws an error that names the parts that failed, when all have run.
 */
export async function runTests(names: readonly PartName[], asked: readonly string[] = []): Promise<void> {
  const paths = asked.filter((one) => one.endsWith('.ts')).map((file) => path.normalize(file));
  const patterns = asked.filter((one) => !one.endsWith('.ts'));
  const env = { ...process.env, ...QUICK_STARTS };
  const failed: string[] = [];
  const took: string[] = [];
  for (const name of names) {
    const { what, concurrency = availableParallelism() }: Part = PARTS[name];
    const files = filesOf(name).filter((file) => paths.length === 0 || paths.includes(path.normalize(file)));
    if (files.length === 0) continue;
    console.log(`\n── ${name}: ${what} (${files.length} ${files.length === 1 ? 'file' : 'files'})`);
    const start = performance.now();
    const flags = [
      '--test',
      // A file whose tests have all ended has ended, even if a child's exit was missed and the process would wait for it.
      '--test-force-exit',
      '--test-reporter=spec',
      `--test-concurrency=${concurrency}`,
      ...patterns.map((pattern) => `--test-name-pattern=${literally(pattern)}`),
    ];
    const { status } = spawnSync(process.execPath, [...flags, ...files], { cwd: root, env, stdio: 'inherit' });
    if (status !== 0) failed.push(name);
    took.push(`${name} ${((performance.now() - start) / 1000).toFixed(0)} s`);
  }
  if (took.length === 0) throw new Error(`No test file is called ${paths.join(' or ')}.`);
  console.log(`\nTook: ${took.join(', ')}.`);
  if (failed.length > 0) throw new Error(`Failed: ${failed.join(', ')}, see above.`);
}

/** Names of tests have characters in them that mean something in a pattern. */
function literally(name: string): string {
  return name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
