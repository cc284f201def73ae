import {
  type CancellationToken,
  type Connection,
  ErrorCodes,
  LSPErrorCodes,
  ResponseError,
  type WorkDoneProgressReporter,
} from 'vscode-languageserver';
import { CHECK_WORKSPACE, CREATE_CONFIGURATION, SHOW_SETTINGS_FILE, type WorkspaceCheck } from '../protocol.ts';
import { filePath } from './configurationFiles.ts';
import { settingsFileIn } from './projectSettingsFile.ts';
import type { Session } from './session.ts';
import type { WorkspaceFiles } from './workspaceFiles.ts';

type Command = (argument: unknown, token: CancellationToken, progress: WorkDoneProgressReporter) => Promise<unknown>;

/** The names of the server's commands. */
export const SERVER_COMMANDS: readonly string[] = [CHECK_WORKSPACE, CREATE_CONFIGURATION, SHOW_SETTINGS_FILE];

/** Runs the commands of the server. */
export function provideCommands(connection: Connection, session: Session, workspace: WorkspaceFiles): void {
  const show = async (uri: string): Promise<null> => {
    if (showsDocuments(session)) await connection.window.showDocument({ uri, external: false, takeFocus: true });
    return null;
  };
  const commands: Readonly<Record<string, Command>> = {
    async [CHECK_WORKSPACE](_argument, token, progress): Promise<WorkspaceCheck> {
      progress.begin('Checking the workspace', 0, undefined, true);
      try {
        return await workspace.check(token, (done, all) =>
          progress.report(Math.floor((100 * done) / all), `${done} of ${all} files`),
        );
      } finally {
        progress.done();
      }
    },
    async [CREATE_CONFIGURATION](argument): Promise<null> {
      const folder = typeof argument === 'string' ? filePath(argument) : undefined;
      if (folder === undefined) throw refused(`${CREATE_CONFIGURATION} requires the URI of a folder.`);
      const { uri, edit, isThere } = await settingsFileIn(session, folder);
      if (!isThere) {
        const label = 'Create the configuration file';
        const isMade = edit && (await connection.workspace.applyEdit({ label, edit })).applied;
        if (!isMade) throw new ResponseError(LSPErrorCodes.RequestFailed, `The editor could not create ${uri}.`);
      }
      return show(uri);
    },
    async [SHOW_SETTINGS_FILE](argument): Promise<null> {
      if (typeof argument !== 'string') throw refused(`${SHOW_SETTINGS_FILE} requires the URI of a file.`);
      return show(argument);
    },
  };
  connection.onExecuteCommand(async ({ command, arguments: [argument] = [] }, token, progress) => {
    const run = commands[command];
    if (!run) throw refused(`There is no command \`${command}\`.`);
    return run(argument, token, progress);
  });
}

/** True if the client can open a file in an editor. */
export const showsDocuments = ({ capabilities }: Session): boolean =>
  capabilities.window?.showDocument?.support === true;

const refused = (sentence: string) => new ResponseError(ErrorCodes.InvalidParams, sentence);
