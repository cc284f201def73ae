/** The parts of the test suite, and how they are run. */
import { globSync, statSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import path from 'node:path';
import { execa } from 'execa';
import { root } from './root.ts';

interface Part {
  readonly what: string;
  readonly includes: readonly string[];
  readonly excludes?: readonly string[];
  /** So many processes have the files among them and start once what all of theirs need; else each file has its own. */
  readonly processes?: number;
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
    processes: availableParallelism(),
  },
  programs: { what: 'the command line, the language server, and what they start', includes: PROGRAMS },
  proof: { what: 'what the fixes write, under real PyTorch and Keras', includes: ['test/proof/*.test.ts'] },
  fuzz: { what: 'damaged input', includes: ['test/**/fuzz/*.test.ts'] },
  install: { what: 'the packed command in clean folders', includes: ['test/install/*.test.ts'] },
  // Each process has a browser and a workbench.
  editor: { what: 'the real VS Code', includes: ['test/editor/*.test.ts'], processes: 2 },
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
    const { what, processes }: Part = PARTS[name];
    const files = filesOf(name).filter((file) => paths.length === 0 || paths.includes(path.normalize(file)));
    if (files.length === 0) continue;
    console.log(`\n── ${name}: ${what} (${files.length} ${files.length === 1 ? 'file' : 'files'})`);
    const start = performance.now();
    const flags = [
      '--test',
      // A file whose tests have all ended has ended, even if a child's exit was missed and the process would wait for it.
      '--test-force-exit',
      '--test-reporter=spec',
      ...(processes ? ['--test-isolation=none'] : [`--test-concurrency=${availableParallelism()}`]),
      ...patterns.map((pattern) => `--test-name-pattern=${literally(pattern)}`),
    ];
    const options = { cwd: root, env, stdio: 'inherit', reject: false } as const;
    const ended = await Promise.all(
      shareOut(files, processes ?? 1).map((share) => execa(process.execPath, [...flags, ...share], options)),
    );
    if (ended.some((process) => process.failed)) failed.push(name);
    took.push(`${name} ${((performance.now() - start) / 1000).toFixed(0)} s`);
  }
  if (took.length === 0) throw new Error(`No test file is called ${paths.join(' or ')}.`);
  console.log(`\nTook: ${took.join(', ')}.`);
  if (failed.length > 0) throw new Error(`Failed: ${failed.join(', ')}, see above.`);
}

/** Up to so many shares of files, none of them empty, that take about as long: a long file has many tests. */
function shareOut(files: readonly string[], count: number): string[][] {
  const size = (file: string) => statSync(path.join(root, file)).size;
  const shares = Array.from({ length: Math.min(count, files.length) }, () => ({ files: [] as string[], bytes: 0 }));
  for (const file of files.toSorted((one, other) => size(other) - size(one))) {
    const [smallest] = shares.toSorted((one, other) => one.bytes - other.bytes);
    smallest?.files.push(file);
    if (smallest) smallest.bytes += size(file);
  }
  return shares.map((share) => share.files);
}

/** Names of tests have characters in them that mean something in a pattern. */
function literally(name: string): string {
  return name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
