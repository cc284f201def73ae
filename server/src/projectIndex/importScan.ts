/** Finds the imports in a text without parsing it. Imports in docstrings are included: extra ones do no harm here. */

/** One module or name that an import statement imports. */
export interface ScannedImport {
  /** The module as written: `pkg.train`, `..utils`, `.`. */
  readonly module: string;
  /** The name imported from the module; undefined for `import module`, `*` for all. */
  readonly name?: string;
  /** The local name. */
  readonly as?: string;
  /** True inside a block: the file may work without it. */
  readonly isNested?: true;
}

const STATEMENT = /^[ \t]*(?:from[ \t]+([.\w]+)[ \t]+)?import[ \t]*(?:\(([^()]*)\)?|([^\n\r;#]*))/;
const WORD = 'import';
/** The text allowed before an import on its logical line: a statement begins the line or follows a semicolon. */
const BEFORE = /^(?:.*;)?[ \t]*(?:from[ \t]+[.\w]+[ \t]*(?:\\\r?\n[ \t]*)?)?$/;

/** Returns all imports in a text, in order. */
export function scanImports(text: string): readonly ScannedImport[] {
  const found: ScannedImport[] = [];
  for (let at = text.indexOf(WORD); at >= 0; at = text.indexOf(WORD, at + WORD.length)) {
    const start = lineStart(text, at);
    const before = text.slice(start, at);
    if (!BEFORE.test(before) || /\w/.test(text[at + WORD.length] ?? '')) continue;
    const end = statementEnd(text, at);
    const statement = joinLines(text.slice(start + before.lastIndexOf(';') + 1, end));
    const [, module, inBrackets, list] = STATEMENT.exec(statement) ?? [];
    for (const item of (inBrackets?.replaceAll(/#[^\n\r]*/g, '') ?? list ?? '').split(',')) {
      const [name = '', as] = item.trim().split(/\s+as\s+/);
      if (name === '') continue;
      const nested = /^\s/.test(before) && { isNested: true as const };
      if (module === undefined) found.push({ module: name, as, ...nested });
      else found.push({ module, name, as: as ?? name, ...nested });
    }
  }
  return found;
}

/** Returns the words in an import that may be the last part of a module name. */
export function possibleLastParts({ module, name }: ScannedImport): readonly string[] {
  const last = module.slice(module.lastIndexOf('.') + 1);
  return name === undefined || name === '*' ? [last] : [last, name];
}

/** Returns the start of the logical line, following backslash continuations. */
function lineStart(text: string, at: number): number {
  const start = text.lastIndexOf('\n', at - 1) + 1;
  return text[start - 2] === '\\' ? text.lastIndexOf('\n', start - 2) + 1 : start;
}

function statementEnd(text: string, at: number): number {
  const bracket = /^import[ \t]*\(/.test(text.slice(at, at + 40)) ? text.indexOf(')', at) : -1;
  if (bracket >= 0) return bracket + 1;
  let end = text.indexOf('\n', at);
  while (end > 0 && text[end - 1] === '\\') end = text.indexOf('\n', end + 1);
  return end < 0 ? text.length : end;
}

const joinLines = (statement: string) => statement.replaceAll(/\\\r?\n/g, ' ');
