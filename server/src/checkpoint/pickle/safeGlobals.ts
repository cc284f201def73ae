import type { Filled } from '../checkpoint.ts';
import { isInGrammar } from './grammar.ts';

/** What `torch.serialization.add_safe_globals` is to be given for one import, or for one type that no import names. */
export interface SafeGlobal {
  /** The module that is to be imported first; undefined for a builtin. */
  readonly module?: string;
  /** As Python writes it, in whatever version of Python and NumPy it is read: `type(numpy.dtype("f8"))`. */
  readonly text: string;
  /** The name that the file has for it, where its library's newer releases have another. */
  readonly alias?: string;
}

/** What has to be given together with the name in the file, which torch takes from 2.6 on. */
const FUNCTIONS_OF_NUMPY: Readonly<Record<string, string>> = {
  'multiarray._reconstruct': 'numpy.zeros(0).__reduce__()[0]',
  'multiarray.scalar': 'numpy.float64(0).__reduce__()[0]',
};

/** The lines of Python that allow these, in a program that calls PyTorch `torch`; what they import is not torch itself. */
export function allowingLines(globals: readonly SafeGlobal[], torch = 'torch'): string[] {
  const modules = new Set(globals.flatMap(({ module }) => module ?? []));
  const given = globals.map(({ text, alias }) => (alias === undefined ? text : `(${text}, "${alias}")`));
  return [
    ...[...modules].map((module) => `import ${module}`),
    `${torch}.serialization.add_safe_globals([${given.join(', ')}])`,
  ];
}

/** The same as one line that stands for itself. */
export function allowingCode(globals: readonly SafeGlobal[]): string {
  return [...new Set(['import torch', ...allowingLines(globals)])].join('; ');
}

/** What no other system than Windows can make. */
const OF_WINDOWS = new Set(['pathlib.WindowsPath', 'pathlib._local.WindowsPath']);

/** True for what can be made on Windows only, whatever is allowed. */
export function isOfWindows(name: string): boolean {
  return OF_WINDOWS.has(name);
}

/**
 * What lets `weights_only=True` load a file with these imports, none of which it allows by itself, and with what is made of
 * them: `_get_user_allowed_globals` and `Unpickler.load` in `torch/_weights_only_unpickler.py`. Undefined where nothing
 * does, and for files that leave the grammar of plain data: what is allowed is allowed with any state.
 */
export function safeGlobalsFor(
  imports: readonly string[],
  filled: readonly Filled[] | undefined,
): SafeGlobal[] | undefined {
  if (!filled) return undefined;
  const found: SafeGlobal[] = [];
  for (const name of imports) {
    const safe = safeGlobalOf(name);
    if (!safe) return undefined;
    found.push(safe);
  }
  for (const { by, with: content, spelling } of filled) {
    // `SETITEM` and `APPEND` are for plain dicts and lists, and for this one.
    if (content !== 'state' && by !== 'collections.OrderedDict') return undefined;
    if (content === 'state' && !isAllowedState(by, spelling)) return undefined;
    if (spelling !== undefined) found.push({ module: 'numpy', text: `type(numpy.dtype("${spelling}"))` });
  }
  return found;
}

/** A state is set where the type of the object is allowed: a class is the type of what it makes. */
function isAllowedState(by: string, spelling: string | undefined): boolean {
  if (by === 'numpy.dtype') return spelling !== undefined && /^[\w?|<>=]+$/.test(spelling);
  // What it makes are arrays, whose class it is given, and which the file imports by that.
  if (/^numpy\._?core\.multiarray\._reconstruct$/.test(by)) return true;
  return /(^|\.)[A-Z]\w*$/.test(by) && isInGrammar(partsOf(by));
}

/**
 * What unpickles, makes classes or calls what it is given is not to be allowed for good; constants have no name to be allowed by; and the
 * last function is gone in each torch that has `add_safe_globals`.
 */
const NOT_TO_ALLOW =
  /^(torch\.storage\._load_from_bytes|collections\.defaultdict|copyreg\._reconstructor|torch\.(strided|sparse_\w+)|builtins\.(Ellipsis|NotImplemented|NoneType|type)|torch\._utils\._rebuild_sparse_csr_tensor)$/;

function safeGlobalOf(name: string): SafeGlobal | undefined {
  if (NOT_TO_ALLOW.test(name)) return undefined;
  const { module, name: own } = partsOf(name);
  if (!isInGrammar({ module, name: own }) || isOfWindows(name)) return undefined;
  if (module === 'builtins') return { text: own };
  const ofNumpy = /^numpy\._?core\.(.*)$/.exec(name)?.[1];
  if (ofNumpy !== undefined) {
    const text = FUNCTIONS_OF_NUMPY[ofNumpy];
    return text === undefined ? undefined : { module: 'numpy', text, alias: name };
  }
  if (/^pathlib(\._local)?$/.test(module)) return { module: 'pathlib', text: `pathlib.${own}`, alias: name };
  return { module, text: name };
}

/** The module and the name in it: no name of the grammar has a dot. */
function partsOf(full: string): { module: string; name: string } {
  const dot = full.lastIndexOf('.');
  return { module: full.slice(0, dot), name: full.slice(dot + 1) };
}
