/** The parts of the test suite: which test files each has. */
import { globSync } from 'node:fs';
import { root } from './root.ts';

export interface Part {
  readonly what: string;
  readonly includes: readonly string[];
  readonly excludes?: readonly string[];
  /** So many processes have the files among them and start once what all of theirs need; else each file has its own. */
  readonly processes?: number;
  /** A file that fails is run once more: a browser and a workbench on a busy machine now and then lose a click or a window. */
  readonly runsAgain?: boolean;
}

/** Tests that start processes, which takes them seconds. */
const PROGRAMS = [
  'test/cli/**/*.test.ts',
  'test/lsp/**/*.test.ts',
  'test/portability/**/*.test.ts',
  'test/schemas/**/*.test.ts',
  'test/stack/{collectEnv,probe,runtime}.test.ts',
  'test/diagnosis/smoke.test.ts',
  'test/scripts/{newMessage,newPackage,newRule}.test.ts',
];

/** Tests that a machine with an NVIDIA GPU is needed for. Without one they skip themselves. */
const ON_A_GPU = 'test/gpu/gpu.test.ts';

export const PARTS = {
  house: { what: 'types, style and who imports whom', includes: ['test/*.test.ts'] },
  unit: {
    what: 'what is a function',
    includes: ['test/*/**/*.test.ts'],
    excludes: [...PROGRAMS, 'test/editor/**', 'test/proof/**', 'test/**/fuzz/**', 'test/install/**', ON_A_GPU],
    processes: 3,
  },
  // So many that none has much left to do when the others have ended.
  programs: { what: 'the command line, the language server, and what they start', includes: PROGRAMS, processes: 6 },
  proof: { what: 'what the fixes write, under real PyTorch and Keras', includes: ['test/proof/*.test.ts'] },
  fuzz: { what: 'damaged input', includes: ['test/**/fuzz/*.test.ts'], processes: 2 },
  install: { what: 'the packed command in clean folders', includes: ['test/install/*.test.ts'] },
  gpu: { what: 'a real NVIDIA GPU', includes: [ON_A_GPU] },
  // Each process has a browser and a workbench.
  editor: { what: 'the real VS Code', includes: ['test/editor/*.test.ts'], processes: 2, runsAgain: true },
} as const satisfies Record<string, Part>;

export type PartName = keyof typeof PARTS;

export const PART_NAMES = Object.keys(PARTS) as readonly PartName[];

/** The test files of a part, in the order in which their names sort. */
export function filesOf(name: PartName): string[] {
  const { includes, excludes = [] }: Part = PARTS[name];
  return globSync([...includes], { cwd: root, exclude: [...excludes] }).sort();
}
