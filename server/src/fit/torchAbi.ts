/** The relation between a compiled extension and torch, whose binary interface changes with each release. */
import { overlap } from '../published/specifier.ts';
import type { Fit } from './relation.ts';

/** The torch versions on which code that was compiled for one ("2.4", "2.4.1+cu121") runs, as a specifier. */
export function torchesFor(compiledFor: string): string {
  const [release = ''] = compiledFor.split('+');
  return release.split('.').length > 2 ? `==${release}` : `==${release}.*`;
}

/** Returns whether code that was compiled for a torch runs on one of a range. */
export function torchAbi(compiledFor: string, torch: string): Fit {
  return { fit: overlap(torchesFor(compiledFor), torch) ? 'holds' : 'fails' };
}
