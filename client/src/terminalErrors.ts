import * as vscode from 'vscode';
import { FIND_ERRORS } from '../../server/src/protocol.ts';
import type { ErrorExplainer } from './explainError.ts';
import type { Server } from './server.ts';

const SETTING = 'gpuDoctor.explainErrors';

/** Number of characters kept from the end of a command's output, where errors are. */
const MOST_OUTPUT = 2 ** 18;

interface ErrorLink extends vscode.TerminalLink {
  readonly terminal: vscode.Terminal;
  readonly line: string;
}

/** Links each known error in a terminal. Nothing is shown before a link is followed. */
export function registerTerminalErrors(server: Server, explainer: ErrorExplainer): vscode.Disposable {
  /** The output of a terminal's latest command, if the shell reports its start and end. */
  const outputs = new WeakMap<vscode.Terminal, string>();
  const links: vscode.TerminalLinkProvider<ErrorLink> = {
    async provideTerminalLinks({ line, terminal }) {
      if (!isSwitchedOn() || line.trim() === '') return [];
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
      const output = outputs.get(terminal);
      // For earlier commands, only the line itself is known.
      await explainer.explain({ text: output?.includes(line.trim()) ? output : line });
    },
  };
  return vscode.Disposable.from(
    vscode.window.onDidStartTerminalShellExecution(async ({ terminal, execution }) => {
      if (!isSwitchedOn()) return;
      outputs.set(terminal, '');
      let output = '';
      for await (const chunk of execution.read()) {
        output = (output + chunk).slice(-MOST_OUTPUT);
        outputs.set(terminal, output);
      }
    }),
    vscode.window.registerTerminalLinkProvider(links),
  );
}

function isSwitchedOn(): boolean {
  return vscode.workspace.getConfiguration().get(SETTING, true);
}
