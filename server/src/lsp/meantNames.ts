import { type CodeAction, CodeActionKind, type Diagnostic } from 'vscode-languageserver';
import type { TextDocument } from 'vscode-languageserver-textdocument';
import { SOURCE } from './diagnosticSource.ts';

/** The data of a diagnostic about an unknown name: the name that was probably meant. */
export interface MeantName {
  readonly meant: string;
}

/** Returns a fix for each diagnostic of a settings file with a suggested name; quotes around the name stay. */
export function meantNames(document: TextDocument | undefined, diagnostics: readonly Diagnostic[]): CodeAction[] {
  if (!document) return [];
  return diagnostics.flatMap((diagnostic): CodeAction[] => {
    const { meant } = (diagnostic.data ?? {}) as Partial<MeantName>;
    if (diagnostic.source !== SOURCE || typeof meant !== 'string') return [];
    const written = document.getText(diagnostic.range);
    const [quote = ''] = /^["']/.exec(written) ?? [];
    const edit = { range: diagnostic.range, newText: `${quote}${meant}${quote}` };
    return [
      {
        title: `Replace with \`${meant}\``,
        kind: CodeActionKind.QuickFix,
        diagnostics: [diagnostic],
        isPreferred: true,
        edit: { changes: { [document.uri]: [edit] } },
      },
    ];
  });
}
