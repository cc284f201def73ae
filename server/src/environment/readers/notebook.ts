/**
 * Notebooks: the packages that their shell lines and magics install, as in `!pip install torch` and `%pip install
 * torch`.
 */
import { type EnvironmentFile, installationOf } from '../environmentFile.ts';
import type { Includes } from './includes.ts';
import { installationsOf } from './script.ts';
import { readCommands } from './shell.ts';

const INTERPRETER = /\{sys\.executable\}/g;
/** A line that IPython passes to a shell or an installer; a backslash joins lines. */
const LINE = /^([ \t]*(?:!|%(?=(?:pip|conda|mamba|uv)\b)))((?:[^\n\\]|\\.|\\\r?\n)*)/gms;

/** Reads the code cells of a notebook, whose texts are joined by line feeds. */
export function readNotebook(text: string, { listAt }: Includes): EnvironmentFile {
  const lines = [...text.matchAll(LINE)].filter(({ 2: line = '' }) => /\b(?:install|create)\b/.test(line));
  // Text that is not part of a command becomes spaces, to keep offsets.
  let shell = '';
  for (const { 1: head = '', 2: line = '', index } of lines) {
    shell += blanks(text.slice(shell.length, index)) + blanks(head);
    shell += line
      .replace(INTERPRETER, (all) => 'python'.padEnd(all.length))
      .replace(/\\\r?\n/g, (end) => ' '.repeat(end.length));
  }
  const installations = installationsOf(readCommands(shell, 0, new Map(), listAt));
  return {
    kind: 'notebook',
    installations: installations.length > 0 ? installations : [installationOf([])],
    comments: [],
    errors: [],
  };
}

function blanks(text: string): string {
  return text.replace(/[^\n]/g, ' ');
}
