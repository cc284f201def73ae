import * as vscode from 'vscode';

/** Milliseconds that another extension may take to start before it is ignored. */
const PATIENCE = 3000;

/**
 * The API of another extension, which is started if necessary; undefined if it is not installed, fails to start or
 * takes too long.
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
