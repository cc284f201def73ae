/** Calls after which nothing runs, such as `sys.exit()`. */
import type { Expression } from '../syntax/nodes.ts';
import { pathOf } from './accessPaths.ts';

/** Calls that never return, by dotted name. */
const EXITS = new Set([
  'sys.exit',
  'exit',
  'quit',
  'os._exit',
  'os.abort',
  'pytest.skip',
  'pytest.exit',
  'pytest.fail',
]);
const LAST_PARTS = new Set([...EXITS].map((name) => name.slice(name.lastIndexOf('.') + 1)));
/** Methods that leave the function: `self.skipTest()`, `parser.error()`. */
const EXIT_METHODS = new Set(['skipTest', 'fail']);

/** True for a call that does not return. */
export function isExit(node: Expression): boolean {
  if (node.kind !== 'Call') return false;
  const { func } = node;
  if (func.kind === 'Name') return EXITS.has(func.id);
  if (func.kind !== 'Attribute') return false;
  if (EXIT_METHODS.has(func.attr)) return true;
  if (func.attr === 'error') return /parser$/i.test(pathOf(func.value) ?? '');
  return LAST_PARTS.has(func.attr) && EXITS.has(pathOf(func) ?? '');
}
