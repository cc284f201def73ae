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
  const started = starting.get(terminal) ?? (own === undefined ? start(terminal) : undefined);
  if (started !== undefined && !(await takes(line, started))) return;
  terminal.sendText(line, false);
}

/** Milliseconds after which the user is asked about a shell that has not told of its prompt; some never do. */
const LONGEST_START = 5000;

/** Terminals whose shells have not told of a prompt yet; each promise says whether the terminal is still there by then. */
const starting = new Map<vscode.Terminal, Promise<boolean>>();

/** What comes before a shell's prompt is shown twice. Shells that tell where they are do so right before it. */
function start(terminal: vscode.Terminal): Promise<boolean> {
  const started = new Promise<boolean>((resolve) => {
    const done = (isThere: boolean) => {
      for (const subscription of subscriptions) subscription.dispose();
      starting.delete(terminal);
      resolve(isThere);
    };
    const subscriptions = [
      vscode.window.onDidChangeTerminalShellIntegration((event) => {
        if (event.terminal === terminal && event.shellIntegration.cwd) done(true);
      }),
      vscode.window.onDidCloseTerminal((closed) => {
        if (closed === terminal) done(false);
      }),
    ];
  });
  starting.set(terminal, started);
  return started;
}

/** Whether a terminal is to get a line, once its shell is ready or the user, who sees whether it is, has said so. */
async function takes(line: string, started: Promise<boolean>): Promise<boolean> {
  const waiting = new Promise<undefined>((resolve) => {
    const timer = setTimeout(resolve, LONGEST_START, undefined);
    void started.then(() => clearTimeout(timer));
  });
  const early = await Promise.race([started, waiting]);
  if (early !== undefined) return early;
  const [type, copyIt] = ['Put It There Now', 'Copy the Command'];
  const question = 'The shell in the terminal does not say when it is ready. The command comes there once it does.';
  const answer = vscode.window.showInformationMessage(question, type, copyIt);
  // A question that is put aside is no answer: the shell may yet be ready.
  const answered = new Promise<string>((resolve) => void answer.then((chosen) => chosen && resolve(chosen)));
  const outcome = await Promise.race([started, answered]);
  if (outcome === copyIt) await copy(line, 'The command is on the clipboard');
  return outcome === true || outcome === type;
}

/** Puts a text on the clipboard and says so for a moment. */
export async function copy(text: string, confirmation: string): Promise<void> {
  await vscode.env.clipboard.writeText(text);
  vscode.window.setStatusBarMessage(`$(check) ${confirmation}`, 5000);
}
