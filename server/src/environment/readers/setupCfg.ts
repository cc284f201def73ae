/** setuptools' `setup.cfg`: `install_requires`, `extras_require` and `python_requires`. */
import { type EnvironmentFile, installationOf, type Requirement, type Span } from '../environmentFile.ts';
import { readRequirement, spannedText } from '../requirement.ts';
import type { Includes } from './includes.ts';
import { installedBy } from './pipList.ts';

interface Entry {
  readonly section: string;
  readonly key: string;
  /** The lines of the value, each with its offset. */
  readonly lines: { readonly text: string; readonly start: number }[];
}

export function readSetupCfg(text: string, { listAt }: Includes): EnvironmentFile {
  const { entries, comments } = readIni(text);
  let isPartial = false;
  const requirementsOf = ({ lines }: Entry) =>
    lines.flatMap(({ text: line, start }): Requirement[] => {
      const files = /^file:\s*(.*)$/.exec(line)?.[1];
      if (files === undefined) return [readRequirement(line, start) ?? []].flat();
      const lists = files.split(/\s*,\s*/).map((path) => listAt(path.trim(), spannedText(line, start).span));
      isPartial ||= lists.some((each) => each.isPartial);
      return lists.flatMap(installedBy);
    });
  const find = (section: string, key: string) => entries.find((each) => each.section === section && each.key === key);
  const install = find('options', 'install_requires');
  const own = install ? requirementsOf(install) : [];
  const range = find('options', 'python_requires')?.lines[0];
  const python = range && {
    python: { specifier: range.text.trim(), span: { start: range.start, end: range.start + range.text.length } },
  };
  const extras = entries.filter(({ section }) => section === 'options.extras_require');
  const installations = [own, ...extras.map((extra) => [...own, ...requirementsOf(extra)])];
  return {
    kind: 'setupCfg',
    installations: installations.map((requirements) => installationOf(requirements, { isPartial, ...python })),
    comments,
    errors: [],
  };
}

/** Reads entries like Python's configparser: an indented line continues the value above. */
function readIni(text: string): { entries: readonly Entry[]; comments: readonly Span[] } {
  const entries: Entry[] = [];
  const comments: Span[] = [];
  let section = '';
  for (const { 0: line, index } of text.matchAll(/[^\r\n]+/g)) {
    const comment = /^\s*[#;]|\s#/.exec(line);
    const isWhole = comment !== null && /^\s*[#;]/.test(line);
    if (comment) {
      const start = index + line.indexOf(isWhole ? line.trim().charAt(0) : '#', comment.index);
      comments.push({ start, end: index + line.trimEnd().length });
    }
    const bare = comment ? line.slice(0, comment.index) : line;
    if (bare.trim() === '') continue;
    const head = /^\[([^\]]+)\]/.exec(bare)?.[1];
    const [all, key, first = ''] = /^([^\s=:][^=:]*?)\s*[=:]\s*(.*)$/.exec(bare) ?? [];
    if (head !== undefined) section = head.trim();
    else if (/^\s/.test(bare))
      entries.at(-1)?.lines.push({ text: bare.trim(), start: index + bare.length - bare.trimStart().length });
    else if (all !== undefined && key !== undefined) {
      const lines = first.trim() === '' ? [] : [{ text: first.trimEnd(), start: index + bare.length - first.length }];
      entries.push({ section, key, lines });
    }
  }
  return { entries, comments };
}
