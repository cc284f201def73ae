import { normalized } from '../published/packageName.ts';
import { pinnedRow, spacedRow } from './packageRows.ts';
import { type ListedPackage, labelled, leadingVersion, type Report, type ReportReader } from './report.ts';

/** `pip list` and `uv pip list`, `pip freeze`, and `pip show`, possibly filtered. */
export const readReportedPipList: ReportReader = (text) =>
  table(text) ?? withoutHeader(text) ?? filtered(text) ?? shown(text);

/** pip's report of incompatible packages that it left installed; before pip 20.3 it precedes the installation. */
const CONFLICT =
  /^[ \t]*(?:ERROR: )?([A-Za-z][\w.-]*) (\d\S*) requires [^\n]{1,200}?, but you(?:'ll)? have ([A-Za-z][\w.-]*) (\d\S*) which is incompatible/gm;

function conflicting(text: string): ListedPackage[] {
  const rows = [...text.matchAll(CONFLICT)].flatMap(([, one = '', its = '', other = '', version = '']) => [
    { name: normalized(one), version: its },
    { name: normalized(other), version },
  ]);
  return [...new Map(rows.map((row) => [row.name, row])).values()];
}

/** Packages that pip found installed, in the environment's folder. */
function alreadyThere(text: string): ListedPackage[] {
  const rows = [
    ...text.matchAll(
      /^[ \t]*Requirement already satisfied: ([A-Za-z][\w.-]*)[^\n]{0,200}? in \S[^\n]{0,200}?\((?:from [^\n()]{1,200}\) )?\(?(\d[\w.+]*)\)/gm,
    ),
  ];
  const found = rows.map(([, name = '', version = '']): ListedPackage => ({ name: normalized(name), version }));
  return [...new Map(found.map((row) => [row.name, row])).values()];
}

/** Packages that pip or uv report as just installed, or as installed and incompatible. */
export const readInstallation: ReportReader = (text) => {
  const lines = [...text.matchAll(/^[ \t]*Successfully installed ([^\n]+)$/gm)].at(-1)?.[1];
  const byPip = (lines ?? '').split(' ').flatMap((each): ListedPackage[] => {
    const [, name, version] = /^([A-Za-z][\w.]*(?:-[A-Za-z][\w.]*)*)-(\d[\w.+!]*)$/.exec(each) ?? [];
    return name === undefined || version === undefined ? [] : [{ name: normalized(name), version }];
  });
  const byUv = [...text.matchAll(/^[ \t]*\+ ([\w.-]+==\S+)$/gm)].flatMap(([, row = '']) => pinnedRow(row) ?? []);
  const installed = byUv.length > 0 && /^[ \t]*Installed \d+ packages? in /m.test(text) ? byUv : byPip;
  const named = conflicting(text).filter(({ name }) => installed.every((each) => each.name !== name));
  const there = alreadyThere(text).filter(({ name }) => [...installed, ...named].every((each) => each.name !== name));
  const torch = smallWheel(text);
  const known = [...installed, ...named, ...there];
  const beside = torch === undefined ? [] : companionWheels(text);
  const packages = [...known, ...beside.filter(({ name }) => known.every((each) => each.name !== name))];
  if (packages.length === 0 && torch === undefined) return undefined;
  // Lists show the present state and take precedence.
  return {
    program: 'the installation',
    at: text.length,
    ...(packages.length > 0 && { packages }),
    ...(torch && { builds: { torch: { version: torch, cuda: null } } }),
  };
};

/** A torch for Arm or Windows that pip downloaded without CUDA, by its size: no CUDA build is below 300 MB. */
function smallWheel(text: string): string | undefined {
  const [, version, size] =
    /\btorch-(\d[\w.]*)-cp\d+-cp\d+\w*-(?:manylinux\w*aarch64|win_amd64)\.whl \((\d+)(?:\.\d+)? MB\)/.exec(text) ?? [];
  return Number(size) < 300 ? version : undefined;
}

function companionWheels(text: string): ListedPackage[] {
  const wheels = [...text.matchAll(/\b(torchvision|torchaudio)-(\d[\w.]*)-cp\d+-cp\d+\w*-\w+\.whl \(/g)];
  return wheels.map(([, name = '', version = '']) => ({ name, version }));
}

const HEADER = /^[ \t]*Package[ \t]+Version\b[^\n]*\n[ \t]*-{3,}[ -]*$/m;

function table(text: string): Report | undefined {
  const header = HEADER.exec(text);
  if (header === null) return undefined;
  const lines = text.slice(header.index + header[0].length + 1).split('\n');
  const packages = rowsOf(lines, spacedRow);
  return packages.length === 0 ? undefined : listed('pip list', header.index, packages);
}

/** A list without a header counts if it is as long and as ordered as only pip prints it. */
const LEAST_ROWS = 12;

function withoutHeader(text: string): Report | undefined {
  let rows: ListedPackage[] = [];
  let start = 0;
  let at = 0;
  const isList = () => rows.length >= LEAST_ROWS && isSorted(rows);
  for (const line of text.split('\n')) {
    const row = anyRow(line);
    if (row === undefined) {
      if (isList()) break;
      rows = [];
    } else {
      if (rows.length === 0) start = at;
      rows.push(row);
    }
    at += line.length + 1;
  }
  return isList() ? listed('the list of packages', start, rows) : undefined;
}

/** Rows of either list; also "name @ file:///...", which has no version. */
function anyRow(line: string): ListedPackage | undefined {
  const local = line.trim().match(/^([A-Za-z][\w.-]*) @ \S+$/)?.[1];
  return local === undefined ? (pinnedRow(line) ?? twoColumns(line)) : { name: normalized(local), version: '' };
}

/** The minimum is higher for conda's lists. */
function twoColumns(line: string): ListedPackage | undefined {
  return /^\s*\S+\s+\S+\s*$/.test(line) ? spacedRow(line) : undefined;
}

const COMMAND =
  /^.*\b(?:pip3?|uv pip|poetry)(?:\.exe)?\s+(?:(?:list|freeze|show)\b[^\n|]*\|[^\n]*(?:grep|findstr|Select-String)[^\n]*|freeze[ \t]*(?:--all|-l|--local)?[ \t]*)$/m;

function filtered(text: string): Report | undefined {
  const command = COMMAND.exec(text);
  if (command === null) return undefined;
  const lines = text.slice(command.index + command[0].length + 1).split('\n');
  const packages = rowsOf(lines, anyRow);
  return packages.length === 0 ? undefined : { program: 'pip list', at: command.index, packages };
}

function shown(text: string): Report | undefined {
  const blocks = [...text.matchAll(/^[ \t]*Name: ([\w.-]+)\n[ \t]*Version: (\S+)\n[ \t]*Summary:/gm)];
  const packages = blocks.flatMap(([, name = '', reported]): ListedPackage[] => {
    const version = leadingVersion(reported);
    return version === undefined ? [] : [{ name: normalized(name), version }];
  });
  const [first] = blocks;
  if (first === undefined || packages.length === 0) return undefined;
  const python = labelled(text.slice(first.index), 'Location')?.match(/python(\d\.\d+)/)?.[1];
  return { program: 'pip show', at: first.index, packages, ...(python && { python }) };
}

/** Rows at the start of the lines; a blank line may precede the first. */
function rowsOf(lines: readonly string[], row: (line: string) => ListedPackage | undefined): ListedPackage[] {
  const packages: ListedPackage[] = [];
  for (const line of lines) {
    const found = row(line);
    if (found !== undefined) packages.push(found);
    else if (packages.length > 0 || line.trim() !== '') break;
  }
  return packages;
}

function listed(program: string, at: number, rows: readonly ListedPackage[]): Report {
  const packages = rows.filter(({ version }) => version !== '');
  return { program, at, packages, ...(rows.length >= LEAST_ROWS && isSorted(rows) && { isWhole: true }) };
}

/** Allows a few exceptions, because versions of pip sort capitals and underscores differently. */
function isSorted(packages: readonly ListedPackage[]): boolean {
  const wrong = packages.filter(({ name }, at) => at > 0 && (packages[at - 1]?.name ?? '') > name);
  return wrong.length * 20 <= packages.length;
}
