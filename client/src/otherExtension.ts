import * as vscode from 'vscode';

/** Milliseconds that another extension has to start; after that it is done without. */
const PATIENCE = 3000;

/**
 * The interface of another extension, which is started if it does not run yet; undefined where it is not installed,
 * fails to start or takes too long to.
 */
export async function otherExtension<T>(id: string, log: vscode.LogOutputChannel): Promise<T | undefined> {
  const extension = vscode.extensions.getExtension<T>(id);
  if (!extension) return undefined;
  const tooLate = new Promise<undefined>((resolve) => {
    setTimeout(resolve, PATIENCE, undefined);
  });
  try {
    return await Promise.race([extension.activate(), tooLate]);
  } catch (error) {
    log.warn(`The extension ${id} did not start: ${error}`);
    return undefined;
  }
}
