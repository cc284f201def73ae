import { knownValue, type OperatingSystem, type StackFacts } from '../../stack/facts/facts.ts';
import { describeGpus } from './describe/gpus.ts';
import { describeLibraries } from './describe/libraries.ts';
import { describeFrameworks, describePython } from './describe/python.ts';
import { inDetail, knownRow, type Row, row, unknownRow } from './describe/row.ts';
import { meaningOfVariable } from './variableMeanings.ts';

export type { Row } from './describe/row.ts';

interface Section {
  title: string;
  rows: Row[];
}

/** Descriptions of the facts, in order, for every kind of output. */
export function describeStack(facts: StackFacts): Section[] {
  const sections = [
    { title: 'GPU', rows: describeGpus(facts) },
    { title: 'CUDA and cuDNN', rows: describeLibraries(facts) },
    { title: 'Python', rows: describePython(facts) },
    { title: 'Frameworks', rows: describeFrameworks(facts) },
    { title: 'System', rows: describeSystem(facts) },
  ];
  const folders = knownValue(facts.interpreter)?.sitePackages ?? [];
  const notReported = sections.flatMap(({ rows }) => rows.filter((each) => each.notReported).map(({ label }) => label));
  const reported = sections.map(({ title, rows }) => ({
    title,
    rows: rows
      .filter((each) => !each.notReported)
      .map((each) => ({ ...each, source: shortSource(each.source, folders) })),
  }));
  // A line for each would hide those that the text mentions.
  const last = {
    title: 'Not in the text',
    rows: notReported.length > 0 ? [unknownRow('Unknown', notReported.join(', '))] : [],
  };
  return [...reported, last].filter(({ rows }) => rows.length > 0);
}

/** Shortens sources inside the package folders, which have a row of their own. */
function shortSource(source: string | null, folders: string[]): string | null {
  if (source === null || source === folders.join(', ') || folders.includes(source)) return null;
  const folder = folders.find((each) => source.startsWith(each));
  return folder === undefined ? source : source.slice(folder.length + 1);
}

/** Variables whose values are long lists of folders. */
const LONG = ['LD_LIBRARY_PATH', 'PYTHONPATH'];

/** The operating system, the layers between it and programs, and the environment variables with their meaning. */
function describeSystem(facts: StackFacts): Row[] {
  const rows = [row('Operating system', facts.os, describeName)];
  const machine = describeMachine(knownValue(facts.os));
  if (machine !== '') rows.push(inDetail(knownRow('Kernel, processor', machine)));
  const wsl = knownValue(facts.wsl);
  if (wsl) rows.push(row('WSL', facts.wsl, () => `version ${wsl}; uses the Windows driver`));
  const container = knownValue(facts.container);
  if (container) rows.push(row('Container', facts.container, () => container));
  const toolkit = knownValue(facts.containerToolkit);
  if (toolkit) rows.push(inDetail(row('Container toolkit', facts.containerToolkit, () => toolkit.version)));
  for (const [name, value] of Object.entries(knownValue(facts.variables) ?? {})) {
    const meaning = meaningOfVariable(name, value, facts);
    const shown = value === '' ? 'set, but empty' : value;
    const each = knownRow(name, meaning === undefined ? shown : `${shown} (${meaning})`);
    rows.push(LONG.includes(name) ? inDetail(each) : each);
  }
  return rows;
}

function describeName({ name, family, architecture, libc }: OperatingSystem): string {
  return [name ?? family, architecture, libc].filter(Boolean).join(', ');
}

function describeMachine(os: OperatingSystem | undefined): string {
  return [os?.kernel, os?.processor].filter(Boolean).join(', ');
}
