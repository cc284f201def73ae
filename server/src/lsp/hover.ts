import { readFile } from 'node:fs/promises';
import { type Connection, MarkupKind } from 'vscode-languageserver/node';
import { rules } from '../rules/index.ts';
import { pageOf } from '../rules/pages.ts';
import { findingsAt, locationOf, type Session } from './session.ts';

/** Hovering over a finding shows its rule's page. `pages` is the folder that holds the pages, `GPU101.md` and so on. */
export function provideHover(connection: Connection, session: Session, pages: URL): void {
  connection.onHover(async ({ textDocument: { uri }, position }, token) => {
    const analysis = await session.analysisOf(uri, token);
    if (!analysis) return null;
    const findings = findingsAt(analysis, uri, [{ start: position, end: position }]);
    const [first] = findings;
    if (!first) return null;
    const codes = [...new Set(findings.map(({ code }) => code))];
    const texts = await Promise.all(codes.map((code) => readPage(code, pages)));
    return {
      contents: { kind: MarkupKind.Markdown, value: texts.join('\n\n---\n\n') },
      range: locationOf(analysis, first.span).range,
    };
  });
}

/** The rule's page; where it is not installed, what is known of the rule without it. */
async function readPage(code: string, pages: URL): Promise<string> {
  try {
    return await readFile(new URL(`${code}.md`, pages), 'utf8');
  } catch {
    const summary = rules.find((rule) => rule.code === code)?.summary ?? '';
    return `**${code}**: ${summary}\n\n[Read more](${pageOf(code)})`;
  }
}
