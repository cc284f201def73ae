/** The imports of a text, found without parsing it. What stands in a docstring is taken along: more is harmless here. */

/** One module or one name that an import statement brings. */
export interface ScannedImport {
  /** As it is spelled: `pkg.train`, `..utils`, `.`. */
  readonly module: string;
  /** The name that is taken from the module; undefined for `import module`, `*` for all. */
  readonly name?: string;
  /** What it is called here. */
  readonly as?: string;
  /** It stands in a block: the file may do without it. */
  readonly isNested?: true;
}

const STATEMENT = /^[ \t]*(?:from[ \t]+([.\w]+)[ \t]+)?import[ \t]*(?:\(([^()]*)\)?|([^\n\r;#]*))/;
const WORD = 'import';
/** What stands on its logical line before it: a statement begins the line, or follows a semicolon. */
const BEFORE = /^(?:.*;)?[ \t]*(?:from[ \t]+[.\w]+[ \t]*(?:\\\r?\n[ \t]*)?)?$/;

/** All imports of a text, in order. */
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
      if (module === undefined) found.push({ module: name, ...(as !== undefined && { as }), ...nested });
      else found.push({ module, name, as: as ?? name, ...nested });
    }
  }
  return found;
}

/** The words of an import that may be the last part of a module. */
export function lastParts({ module, name }: ScannedImport): readonly string[] {
  const last = module.slice(module.lastIndexOf('.') + 1);
  return name === undefined || name === '*' ? [last] : [last, name];
}

/** Where the logical line begins, for a statement that is continued by a backslash. */
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
