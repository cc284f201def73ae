import { type CodeAction, CodeActionKind, type Range } from 'vscode-languageserver';
import { EXPLAIN_ERROR, type ExplainRequest } from '../protocol.ts';
import type { Explainer } from './explainer.ts';
import type { Failures } from './failures.ts';
import { ownClient } from './ownClient.ts';
import { remedyEditOf } from './remedyEdits.ts';
import type { Session } from './session.ts';

/**
 * Returns the actions at a line that failed: its explanation, if the client can show it, and remedies that are edits.
 */
export function failureActions(session: Session, explainer: Explainer, failures: Failures) {
  const client = ownClient(session.capabilities);
  return async (uri: string, { start, end }: Range): Promise<CodeAction[]> => {
    const opened = session.documents.containing(uri);
    const here = (opened && failures.shownIn(opened).get(uri)) ?? [];
    const actions: CodeAction[] = [];
    for (const { id, diagnostic } of here) {
      if (diagnostic.range.start.line > end.line || diagnostic.range.end.line < start.line) continue;
      const kind = CodeActionKind.QuickFix;
      const diagnostics = [diagnostic];
      const request: ExplainRequest = { failure: id };
      const title = 'Explain this error';
      if (client?.opensExplanations)
        actions.push({ title, kind, diagnostics, command: { title, command: EXPLAIN_ERROR, arguments: [request] } });
      const error = failures.errorOf(id);
      const [explanation] = error ? await explainer.explain(error) : [];
      for (const { title, edit } of explanation?.remedies ?? []) {
        const wanted = edit && (await remedyEditOf(session, edit, error?.cell));
        if (wanted) actions.push({ title, kind, diagnostics, edit: wanted });
      }
    }
    return actions;
  };
}
