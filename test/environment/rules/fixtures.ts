/** Environment files with their expected verdicts in comments: `#: GPU601` at the end of a line, or `below`. */
import { globSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import type { EnvironmentKind } from '../../../server/src/environment/environmentFile.ts';
import { environmentKind } from '../../../server/src/environment/kinds.ts';

export interface EnvironmentFixture {
  readonly name: string;
  /** The file's path. */
  readonly place: string;
  readonly kind: EnvironmentKind;
  readonly text: string;
  /** `line CODE` or `line CODE hint`, sorted; lines count from 1. */
  readonly expected: readonly string[];
}

const root = import.meta.dirname;

export function environmentFixtures(): EnvironmentFixture[] {
  return globSync(['GPU*/**/{*,.*}', 'GPU*/*/.github/workflows/*'], { cwd: root })
    .filter((name) => statSync(path.join(root, name)).isFile())
    .sort()
    .map((name) => {
      const kind = environmentKind(name);
      if (kind === undefined) throw new Error(`${name} is no environment file`);
      const place = path.join(root, name);
      const text = readFileSync(place, 'utf8');
      return { name, place, kind, text, expected: expectedIn(text) };
    });
}

function expectedIn(text: string): string[] {
  return text
    .split('\n')
    .flatMap((line, index) => {
      const [, codes = '', below] = /(?:#|\/\/): (GPU\d+[^#]*?)( below)?$/.exec(line) ?? [];
      const place = index + (below ? 2 : 1);
      return codes === '' ? [] : codes.split(',').map((code) => `${place} ${code.trim()}`);
    })
    .sort();
}
