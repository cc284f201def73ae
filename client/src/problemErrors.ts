import * as vscode from 'vscode';
import { EXPLAIN_ERROR, type ExplainRequest, FIND_ERRORS } from '../../server/src/protocol.ts';
import type { Server } from './server.ts';

/** The source of our own problems, which the server explains itself. */
const OWN = 'gpu-doctor';

/** Maximum number of problems at one place, and of characters in each. */
const MOST_PROBLEMS = 10;
const LONGEST = 2 ** 14;

/**
 * Offers to explain a problem reported by another program, such as a compiler task, if its message is a known error.
 * The offer appears in the light bulb, including in the Problems view, whose context menu is closed to extensions.
 */
export function registerProblemErrors(server: Server): vscode.Disposable {
  const kind = vscode.CodeActionKind.QuickFix;
  const provider: vscode.CodeActionProvider = {
    async provideCodeActions({ uri }, { start, end }) {
      // Compares lines: a task without columns reports an empty range, which is drawn as if it were longer.
      const isHere = ({ range, source }: vscode.Diagnostic) =>
        source !== OWN && range.start.line <= end.line && range.end.line >= start.line;
      const others = vscode.languages.getDiagnostics(uri).filter(isHere).slice(0, MOST_PROBLEMS);
      const actions = others.map(async (problem) => {
        const text = problem.message.slice(0, LONGEST);
        if ((await server.request(FIND_ERRORS, text)).length === 0) return [];
        const action = new vscode.CodeAction('Explain this error', kind);
        const request: ExplainRequest = { text };
        action.diagnostics = [problem];
        action.command = { command: EXPLAIN_ERROR, title: action.title, arguments: [request] };
        return [action];
      });
      return (await Promise.all(actions)).flat();
    },
  };
  return vscode.languages.registerCodeActionsProvider('*', provider, { providedCodeActionKinds: [kind] });
}
