import { type Connection, ErrorCodes, ResponseError } from 'vscode-languageserver/node';
import { CHECK_WORKSPACE, type WorkspaceCheck } from '../protocol.ts';
import type { WorkspaceFiles } from './workspaceFiles.ts';

/** The names of the server's commands. */
export const COMMANDS: readonly string[] = [CHECK_WORKSPACE];

/** Runs the commands of the server. */
export function provideCommands(connection: Connection, workspace: WorkspaceFiles): void {
  connection.onExecuteCommand(async ({ command }, token, progress): Promise<WorkspaceCheck> => {
    if (command !== CHECK_WORKSPACE)
      throw new ResponseError(ErrorCodes.InvalidParams, `There is no command \`${command}\`.`);
    progress.begin('Checking the workspace', 0, undefined, true);
    try {
      return await workspace.check(token, (done, all) =>
        progress.report(Math.floor((100 * done) / all), `${done} of ${all} files`),
      );
    } finally {
      progress.done();
    }
  });
}
