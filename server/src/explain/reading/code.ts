/** Maximum number of statements checked in one text. */
const MOST_STATEMENTS = 40;

/** Lines of Python in pasted text that is not a traceback: from an interactive session, or in a Markdown fence. */
export function codeIn(text: string): string[] {
  const typed = [...text.matchAll(/^[^\S\n]*(?:>>>|In \[\d+\]:) ?(.{3,400})$/gm)].map(([, code = '']) => code);
  const fenced = [...text.matchAll(/^```(?:python|py)\b[^\n]*\n([^`]{1,20000})/gm)].flatMap(([, block = '']) =>
    block.split('\n').filter((line) => /\S/.test(line) && line.length < 400),
  );
  return [...typed, ...fenced].slice(0, MOST_STATEMENTS);
}
