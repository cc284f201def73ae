/** What is done with a command that a user may want to run. Nothing here runs it. */
import * as vscode from 'vscode';

/**
 * Puts a line into a terminal, for the user to look at and to run. It is one of our own: in another, the line could go to
 * a program that runs there.
 */
export async function putIntoTerminal(line: string): Promise<void> {
  const name = 'GPU Doctor';
  const own = vscode.window.terminals.find((each) => each.name === name && each.exitStatus === undefined);
  const terminal = own ?? vscode.window.createTerminal({ name });
  terminal.show();
  if (terminal !== own) await hasPrompt(terminal);
  terminal.sendText(line, false);
}

/** Milliseconds that a shell has to tell of its prompt; some never do. */
const LONGEST_START = 5000;

/** What comes before a shell's prompt is shown twice. Shells that tell where they are do so right before it. */
function hasPrompt(terminal: vscode.Terminal): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      subscription.dispose();
      clearTimeout(timer);
      resolve();
    };
    const subscription = vscode.window.onDidChangeTerminalShellIntegration((event) => {
      if (event.terminal === terminal && event.shellIntegration.cwd) done();
    });
    const timer = setTimeout(done, LONGEST_START);
  });
}

/** Puts a text on the clipboard and says so for a moment. */
export async function copy(text: string, confirmation: string): Promise<void> {
  await vscode.env.clipboard.writeText(text);
  vscode.window.setStatusBarMessage(`$(check) ${confirmation}`, 5000);
}
