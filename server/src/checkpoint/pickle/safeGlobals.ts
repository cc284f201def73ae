import type { FilledObject } from '../checkpoint.ts';
import { isInGrammar } from './grammar.ts';

/** An argument for `torch.serialization.add_safe_globals` for one import, or for a type that no import names. */
export interface SafeGlobal {
  /** The module to import first; undefined for a builtin. */
  readonly module?: string;
  /** Python source that works in any version of Python and NumPy: `type(numpy.dtype("f8"))`. */
  readonly text: string;
  /** The name in the file, if newer releases of the library use a different name. */
  readonly alias?: string;
}

/** Functions that must be passed together with their name in the file, which torch has supported since 2.6. */
const NUMPY_FUNCTIONS: Readonly<Record<string, string>> = {
  'multiarray._reconstruct': 'numpy.zeros(0).__reduce__()[0]',
  'multiarray.scalar': 'numpy.float64(0).__reduce__()[0]',
};

/**
 * Returns the Python lines that allow these globals. `torch` is the program's name for PyTorch, which the lines do not
 * import.
 */
export function allowingLines(globals: readonly SafeGlobal[], torch = 'torch'): string[] {
  const modules = new Set(globals.flatMap(({ module }) => module ?? []));
  const given = globals.map(({ text, alias }) => (alias === undefined ? text : `(${text}, "${alias}")`));
  return [
    ...[...modules].map((module) => `import ${module}`),
    `${torch}.serialization.add_safe_globals([${given.join(', ')}])`,
  ];
}

/** Returns the same as one self-contained line. */
export function allowingCode(globals: readonly SafeGlobal[]): string {
  return [...new Set(['import torch', ...allowingLines(globals)])].join('; ');
}

/** Types that can be created only on Windows. */
const WINDOWS_ONLY = new Set(['pathlib.WindowsPath', 'pathlib._local.WindowsPath']);

/** True for a type that can only be created on Windows, regardless of allowed globals. */
export function isWindowsOnly(name: string): boolean {
  return WINDOWS_ONLY.has(name);
}

/**
 * Returns what makes `weights_only=True` load a file with these imports, which it does not allow by default, and with
 * the objects created from them: `_get_user_allowed_globals` and `Unpickler.load` in
 * `torch/_weights_only_unpickler.py`. Undefined if nothing does, and for files that depart from the grammar of plain
 * data, because an allowed global is allowed with any state.
 */
export function safeGlobalsFor(
  imports: readonly string[],
  filled: readonly FilledObject[] | undefined,
): SafeGlobal[] | undefined {
  if (!filled) return undefined;
  const found: SafeGlobal[] = [];
  for (const name of imports) {
    const safe = safeGlobalOf(name);
    if (!safe) return undefined;
    found.push(safe);
  }
  for (const { by, with: content, spelling } of filled) {
    // `SETITEM` and `APPEND` are for plain dicts and lists, and for this type.
    if (content !== 'state' && by !== 'collections.OrderedDict') return undefined;
    if (content === 'state' && !isAllowedState(by, spelling)) return undefined;
    if (spelling !== undefined) found.push({ module: 'numpy', text: `type(numpy.dtype("${spelling}"))` });
  }
  return found;
}

/** A state can be set if the type of the object is allowed; a class is the type of its instances. */
function isAllowedState(by: string, spelling: string | undefined): boolean {
  if (by === 'numpy.dtype') return spelling !== undefined && /^[\w?|<>=]+$/.test(spelling);
  // It creates arrays of a class that is passed as an argument and that the file therefore imports.
  if (/^numpy\._?core\.multiarray\._reconstruct$/.test(by)) return true;
  return /(^|\.)[A-Z]\w*$/.test(by) && isInGrammar(partsOf(by));
}

/**
 * Globals that must not be allowed permanently: functions that unpickle, create classes or call their argument.
 * Constants have no name under which to allow them, and no torch version with `add_safe_globals` has the last function.
 */
const NEVER_ALLOWED =
  /^(torch\.storage\._load_from_bytes|collections\.defaultdict|copyreg\._reconstructor|torch\.(strided|sparse_\w+)|builtins\.(Ellipsis|NotImplemented|NoneType|type)|torch\._utils\._rebuild_sparse_csr_tensor)$/;

function safeGlobalOf(name: string): SafeGlobal | undefined {
  if (NEVER_ALLOWED.test(name)) return undefined;
  const { module, name: own } = partsOf(name);
  if (!isInGrammar({ module, name: own }) || isWindowsOnly(name)) return undefined;
  if (module === 'builtins') return { text: own };
  const ofNumpy = /^numpy\._?core\.(.*)$/.exec(name)?.[1];
  if (ofNumpy !== undefined) {
    const text = NUMPY_FUNCTIONS[ofNumpy];
    return text === undefined ? undefined : { module: 'numpy', text, alias: name };
  }
  if (/^pathlib(\._local)?$/.test(module)) return { module: 'pathlib', text: `pathlib.${own}`, alias: name };
  return { module, text: name };
}

/** Splits a full name into module and name; no name of the grammar contains a dot. */
function partsOf(full: string): { module: string; name: string } {
  const dot = full.lastIndexOf('.');
  return { module: full.slice(0, dot), name: full.slice(dot + 1) };
}
