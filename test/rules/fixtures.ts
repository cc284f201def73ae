/** Reads rule fixtures: Python files and notebooks with their expected verdicts in `#:` comments. */
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { readNotebook } from '../../server/src/files/notebook.ts';
import { type Source, script } from '../../server/src/python/semantic/source.ts';
import type { Knowledge } from '../../server/src/rules/engine/contract.ts';

export interface Fixture {
  /** Path below the rule's folder, which is also the path passed to the rule. */
  readonly name: string;
  readonly rule: string;
  readonly source: Source;
  /** `cell:line CODE`, with ` hint` or ` same`, for every site, sorted; cell and line count from 1, as in an editor. */
  readonly expected: readonly string[];
  /** Knowledge beyond the text, from a comment `#: facts {"torchVersion": "2.5.1"}`. */
  readonly known: Knowledge;
  /** The folder `<name>.project` that contains the file: its files form one project. */
  readonly project?: string;
}

const root = import.meta.dirname;

export function readSource(file: string, name: string): Source {
  const text = readFileSync(file, 'utf8');
  return file.endsWith('.ipynb') ? readNotebook(name, text).source : script(name, text);
}

/** Returns all fixtures with verdicts, which excludes the pairs for fixes. */
export function verdictFixtures(): Fixture[] {
  return globSync('GPU*/**/*.{py,ipynb}', { cwd: root })
    .filter((file) => !/\.(in|out)\.(py|ipynb)$/.test(file))
    .sort()
    .map((file) => {
      const [rule = '', ...rest] = file.split(path.sep);
      const name = rest.join('/');
      const project = /^.*\.project(?=[\\/])/.exec(path.join(root, file))?.[0];
      // The files of a project are found by path.
      const source = readSource(path.join(root, file), project ? path.join(root, file) : name);
      return { name, rule, source, expected: expectedIn(source), known: factsIn(source), ...(project && { project }) };
    });
}

function expectedIn(source: Source): string[] {
  return source.cells.flatMap((cell, index) =>
    cell.text.split(/\r\n|\r|\n/).flatMap((line, number) => {
      const mark = /#: (GPU\d+.*)$/.exec(line)?.[1];
      return (mark?.split(',') ?? []).map((verdict) => `${index + 1}:${number + 1} ${verdict.trim()}`);
    }),
  );
}

/** The facts about the machine and its Python that a fixture states. */
export function factsIn({ cells }: Source): Knowledge {
  const facts = /^#: facts (.*)$/m.exec(cells[0]?.text ?? '')?.[1];
  return facts === undefined ? {} : JSON.parse(facts);
}
