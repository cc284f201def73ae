import { knownValue, type StackFacts } from '../../stack/facts/facts.ts';
import { describeGpus } from './describe/gpus.ts';
import { describeLibraries } from './describe/libraries.ts';
import { describeFrameworks, describePython } from './describe/python.ts';
import { type Row, unknownRow } from './describe/row.ts';
import { describeSystem } from './describe/system.ts';

export type { Row } from './describe/row.ts';

export interface Section {
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
