/** The checkpoints that a program names: they are read before it is judged, so that each rule runs once. */

import type { AskedPath } from '../../checkpoint/knownCheckpoints.ts';
import type { Program } from '../../guards/program.ts';
import { loaderCalls, pathOfLoad, unplacedLoad } from '../queries/loaderCalls.ts';
import { readerCalls } from '../queries/readerCalls.ts';
import { type CheckOptions, heardIn } from './check.ts';
import { NO_LOADERS } from './selector.ts';

/** Every path that the selected rules may ask about, each once, in the order of the selectors and of the source. */
export function namedCheckpoints(program: Program, options: CheckOptions = {}): readonly AskedPath[] {
  const { selectors, matches } = heardIn(program, options);
  const named = new Map<string, AskedPath>();
  const add = (path: AskedPath | undefined) => {
    if (path) named.set(`${path.from} ${path.text}`, path);
  };
  if (selectors.includes(readerCalls)) for (const { path } of matches.of(readerCalls)) add(path);
  if (selectors.includes(loaderCalls))
    for (const { loaders } of matches.of(loaderCalls)) {
      const load = unplacedLoad(loaders, options.loaders ?? NO_LOADERS);
      if (load) add(pathOfLoad(load, program));
    }
  return [...named.values()];
}
