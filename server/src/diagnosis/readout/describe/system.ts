import { knownValue, type OperatingSystem, type StackFacts } from '../../../stack/facts/facts.ts';
import { meaningOfVariable } from '../variableMeanings.ts';
import { inDetail, knownRow, type Row, row } from './row.ts';

/** Variables whose values are long lists of folders. */
const LONG = ['LD_LIBRARY_PATH', 'PYTHONPATH'];

/** The operating system, the layers between it and programs, and the environment variables with their meaning. */
export function describeSystem(facts: StackFacts): Row[] {
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
