/** Actions on a command that a user may want to run. Nothing here runs it. */
import * as vscode from 'vscode';

/**
 * Inserts a line into a terminal, for the user to review and run. It is a separate terminal: in another one, the line
 * could go to a running program.
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

/** Milliseconds before the user is asked about a shell that has not reported its prompt; some never do. */
const LONGEST_START = 5000;

/**
 * Terminals whose shells have not reported a prompt yet; each promise resolves to whether the terminal still exists.
 */
const starting = new Map<vscode.Terminal, Promise<boolean>>();

/**
 * Text inserted before a shell's prompt is shown twice. Shells that report their folder do so directly before the
 * prompt.
 */
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

/** True if a line may be inserted: the shell is ready, or the user, who sees its state, has confirmed. */
async function takes(line: string, started: Promise<boolean>): Promise<boolean> {
  const waiting = new Promise<undefined>((resolve) => {
    const timer = setTimeout(resolve, LONGEST_START, undefined);
    void started.then(() => clearTimeout(timer));
  });
  const early = await Promise.race([started, waiting]);
  if (early !== undefined) return early;
  const [type, copyIt] = ['Insert Now', 'Copy Command'];
  const question = 'The shell has not reported that it is ready. The command is inserted when it does.';
  const answer = vscode.window.showInformationMessage(question, type, copyIt);
  // Dismissing a question is not an answer: the shell may still become ready.
  const answered = new Promise<string>((resolve) => void answer.then((chosen) => chosen && resolve(chosen)));
  const outcome = await Promise.race([started, answered]);
  if (outcome === copyIt) await copy(line, 'Command copied');
  return outcome === true || outcome === type;
}

/** Copies a text to the clipboard and confirms it briefly. */
export async function copy(text: string, confirmation: string): Promise<void> {
  await vscode.env.clipboard.writeText(text);
  vscode.window.setStatusBarMessage(`$(check) ${confirmation}`, 5000);
}
