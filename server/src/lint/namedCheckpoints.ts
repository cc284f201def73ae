/** The checkpoints that a program names. They are read before the rules run, so that each rule runs once. */

import type { MentionedPath } from '../checkpoint/checkpointCache.ts';
import type { Program } from '../guards/program.ts';
import { type CheckOptions, selectAndMatch } from '../rules/engine/check.ts';
import { NO_LOADERS } from '../rules/engine/selector.ts';
import { rules } from '../rules/index.ts';
import { loaderCalls, pathOfLoad, unplacedLoad } from '../rules/queries/loaderCalls.ts';
import { readerCalls } from '../rules/queries/readerCalls.ts';

/**
 * Returns every path that the selected rules may request, without duplicates, in the order of the selectors and of the
 * source.
 */
export function namedCheckpoints(program: Program, options: CheckOptions = {}): readonly MentionedPath[] {
  const { selectors, matches } = selectAndMatch(program, rules, options);
  const named = new Map<string, MentionedPath>();
  const add = (path: MentionedPath | undefined) => {
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
