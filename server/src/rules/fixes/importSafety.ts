/**
 * Decides whether a program may use CUDA while it is imported. The importer may set `CUDA_VISIBLE_DEVICES` later, when
 * CUDA no longer reads it. A module that only defines functions and classes must choose its device when they run.
 */

import type { Program } from '../../guards/program.ts';
import { rootOf } from '../../python/semantic/accessPaths.ts';
import { memoize } from '../../python/semantic/memoize.ts';
import { isModule } from '../../python/semantic/nameResolution.ts';
import type { Node, Statement } from '../../python/syntax/nodes.ts';
import { walk } from '../../python/syntax/walk.ts';
import { isMainTest, mayRunBefore, moduleBlock } from '../queries/blocks.ts';
import { functionsInNeed } from './devicePlaces.ts';
import { isImport } from './imports.ts';

/** True if the device for a node can be chosen at the top level, for the whole program. */
export function mayChooseAtTop(program: Program, node: Node): boolean {
  if (!program.names.functionOf(node) || program.source.kind === 'notebook' || runsAtTop(program)) return true;
  // A script whose main function needs the device, as do other functions.
  return hasMainTest(program) && mayRunBefore(program, node, Number.POSITIVE_INFINITY) && functionsInNeed(program) > 1;
}

/** True for a top level that does the work itself or has already used CUDA. */
const runsAtTop = memoize((program: Program): boolean => moduleBlock(program).some((each) => runs(each, program)));

function runs(statement: Statement, program: Program): boolean {
  switch (statement.kind) {
    case 'For':
    case 'While':
      return true;
    case 'With':
    case 'Try':
      return !isImport(statement) && statement.body.some((each) => runs(each, program));
    case 'If':
      return (
        !isMainTest(statement.test) && [...statement.body, ...statement.orelse].some((each) => runs(each, program))
      );
    case 'Expr':
      return statement.value.kind === 'Call' && !isSetup(statement, program);
    case 'Assign':
    case 'AnnAssign':
      return usesCudaImmediately(statement, program);
    default:
      return false;
  }
}

/** `warnings.filterwarnings("ignore")`, `logger.setLevel(...)`, `sys.path.append("..")` */
function isSetup(statement: Statement, program: Program): boolean {
  if (statement.kind !== 'Expr' || statement.value.kind !== 'Call') return false;
  const { func } = statement.value;
  const root = rootOf(func);
  return func.kind === 'Attribute' && root !== undefined && (isModule(program.names, root) || /log|^__/i.test(root.id));
}

/** `args = parser.parse_args()`, `device = torch.device("cuda" if torch.cuda.is_available() else "cpu")` */
function usesCudaImmediately(statement: Statement, program: Program): boolean {
  let found = false;
  walk(statement, (node) => {
    if (node.kind === 'Lambda') return false;
    if (node.kind !== 'Call' || found) return !found;
    const last = node.func.kind === 'Attribute' ? node.func.attr : undefined;
    found =
      /^(parse_(known_)?args|cuda|to)$/.test(last ?? '') ||
      program.names.qualify(node.func).some((name) => name.startsWith('torch.cuda.'));
    return !found;
  });
  return found;
}

const hasMainTest = (program: Program): boolean =>
  moduleBlock(program).some((each) => each.kind === 'If' && isMainTest(each.test));
