/** The parts of the test suite and their test files. */
import { globSync } from 'node:fs';
import { root } from './root.ts';

export interface Part {
  readonly title: string;
  readonly includes: readonly string[];
  readonly excludes?: readonly string[];
  /**
   * Number of processes among which the files are divided, so that shared set-up runs once each; by default one per
   * file.
   */
  readonly processes?: number;
  /** Runs the bundles that users run instead of the sources, which take three times as long to start. */
  readonly bundles?: true;
  /** Runs a failed file again: on a busy machine, a browser or workbench occasionally loses a click or a window. */
  readonly retries?: boolean;
}

/** The script of the GitHub action, which runs the command line. */
const ACTION = 'test/action.test.ts';

/** Tests that start processes, which takes seconds. */
const PROGRAMS = [
  'test/bench/*.test.ts',
  'test/cli/**/*.test.ts',
  'test/lsp/**/*.test.ts',
  'test/portability/**/*.test.ts',
  'test/schemas/**/*.test.ts',
  'test/stack/{collectEnv,probe,runtime}.test.ts',
  'test/diagnosis/smoke.test.ts',
  'test/scripts/{newMessage,newPackage,newRule}.test.ts',
  ACTION,
];

/** Tests that need an NVIDIA GPU and skip themselves without one. */
const ON_A_GPU = 'test/gpu/gpu.test.ts';

export const PARTS = {
  static: { title: 'types, style and import directions', includes: ['test/*.test.ts'], excludes: [ACTION] },
  unit: {
    title: 'functions',
    includes: ['test/*/**/*.test.ts'],
    excludes: [...PROGRAMS, 'test/editor/**', 'test/proof/**', 'test/**/fuzz/**', 'test/install/**', ON_A_GPU],
    processes: 3,
  },
  // Enough processes that none has much left to do after the others have finished.
  programs: {
    title: 'the command line, the language server and their child processes',
    includes: PROGRAMS,
    processes: 6,
    bundles: true,
  },
  proof: {
    title: 'fixed programs under real PyTorch and Keras',
    includes: ['test/proof/*.test.ts'],
    bundles: true,
  },
  fuzz: { title: 'damaged input', includes: ['test/**/fuzz/*.test.ts'], processes: 2 },
  install: { title: 'the packed command in clean folders', includes: ['test/install/*.test.ts'], bundles: true },
  gpu: { title: 'a real NVIDIA GPU', includes: [ON_A_GPU], bundles: true },
  // Each process starts a browser and a workbench.
  editor: {
    title: 'the real VS Code',
    includes: ['test/editor/*.test.ts'],
    processes: 2,
    bundles: true,
    retries: true,
  },
} as const satisfies Record<string, Part>;

export type PartName = keyof typeof PARTS;

export const PART_NAMES = Object.keys(PARTS) as readonly PartName[];

/** Returns the test files of a part, sorted by name. */
export function filesOf(name: PartName): string[] {
  const { includes, excludes = [] }: Part = PARTS[name];
  return globSync([...includes], { cwd: root, exclude: [...excludes] }).sort();
}

export function needsBundles(name: PartName): boolean {
  const { bundles }: Part = PARTS[name];
  return bundles === true;
}
