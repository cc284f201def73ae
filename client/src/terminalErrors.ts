import * as vscode from 'vscode';
import { FIND_ERRORS } from '../../server/src/protocol.ts';
import { explainsErrors } from './debuggerErrors.ts';
import type { ErrorExplainer } from './explainError.ts';
import type { Server } from './server.ts';

/** Number of characters kept from the end of a command's output, where errors are. */
const MOST_OUTPUT = 2 ** 18;

interface ErrorLink extends vscode.TerminalLink {
  readonly terminal: vscode.Terminal;
  readonly line: string;
}

/** Links each known error in a terminal. Nothing is shown before a link is followed. */
export function registerTerminalErrors(server: Server, explainer: ErrorExplainer): vscode.Disposable {
  /** A terminal's latest command and its output, if the shell reports its start and end. */
  const latest = new WeakMap<vscode.Terminal, { readonly command: string; readonly output: string }>();
  const links: vscode.TerminalLinkProvider<ErrorLink> = {
    async provideTerminalLinks({ line, terminal }) {
      if (!explainsErrors() || line.trim() === '') return [];
      const found = await server.request(FIND_ERRORS, line);
      return found.map(({ start, end, title }) => ({
        startIndex: start,
        length: end - start,
        tooltip: `Explain: ${title}`,
        terminal,
        line,
      }));
    },
    async handleTerminalLink({ terminal, line }) {
      const { command, output } = latest.get(terminal) ?? {};
      // For earlier commands, only the line itself is known.
      if (output?.includes(line.trim())) await explainer.explain({ text: output }, command);
      else await explainer.explain({ text: line });
    },
  };
  return vscode.Disposable.from(
    vscode.window.onDidStartTerminalShellExecution(async ({ terminal, execution }) => {
      if (!explainsErrors()) return;
      const command = execution.commandLine.value;
      let output = '';
      latest.set(terminal, { command, output });
      for await (const chunk of execution.read()) {
        output = (output + chunk).slice(-MOST_OUTPUT);
        latest.set(terminal, { command, output });
      }
    }),
    vscode.window.registerTerminalLinkProvider(links),
  );
}
