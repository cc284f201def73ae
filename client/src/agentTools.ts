import * as vscode from 'vscode';
import { CALL_TOOL } from '../../server/src/protocol.ts';
import type { Server } from './server.ts';

/** Prefix of the tools' names, which are shared by all extensions. */
const PREFIX = 'gpu-doctor_';

/** The provider's id in the manifest. */
const PROVIDER = 'gpu-doctor.mcp';

/**
 * Registers the manifest's tools for language models, and the MCP server for agents that do not support extension
 * tools. An editor may lack either API.
 */
export function registerAgentTools(context: vscode.ExtensionContext, server: Server): vscode.Disposable {
  const lm: Partial<typeof vscode.lm> | undefined = vscode.lm;
  const tools = lm?.registerTool
    ? namesIn(context.extension.packageJSON).map((name) => lm.registerTool?.(name, tool(name, server)))
    : [];
  const registered = lm?.registerMcpServerDefinitionProvider ? registerServer(context) : undefined;
  return vscode.Disposable.from(...[...tools, registered].filter((each) => each !== undefined));
}

interface Manifest {
  readonly contributes: { readonly languageModelTools: readonly { readonly name: string }[] };
}

const namesIn = ({ contributes }: Manifest) => contributes.languageModelTools.map(({ name }) => name);

function tool(name: string, server: Server): vscode.LanguageModelTool<object> {
  return {
    async invoke({ input }, token) {
      const { text, isError } = await server.request(CALL_TOOL, { tool: name.slice(PREFIX.length), input }, token);
      if (isError) throw new Error(text);
      return new vscode.LanguageModelToolResult([new vscode.LanguageModelTextPart(text)]);
    },
  };
}

function registerServer(context: vscode.ExtensionContext): vscode.Disposable {
  const changed = new vscode.EventEmitter<void>();
  const { workspace } = vscode;
  const provider: vscode.McpServerDefinitionProvider = {
    onDidChangeMcpServerDefinitions: changed.event,
    provideMcpServerDefinitions: () => definitions(context),
  };
  return vscode.Disposable.from(
    changed,
    workspace.onDidChangeConfiguration((event) => event.affectsConfiguration('gpuDoctor.mcpServer') && changed.fire()),
    workspace.onDidChangeWorkspaceFolders(() => changed.fire()),
    workspace.onDidGrantWorkspaceTrust(() => changed.fire()),
    vscode.lm.registerMcpServerDefinitionProvider(PROVIDER, provider),
  );
}

/** One server for all folders; none in an untrusted workspace, or unless the setting enables it. */
function definitions(context: vscode.ExtensionContext): vscode.McpStdioServerDefinition[] {
  const { isTrusted, workspaceFolders = [] } = vscode.workspace;
  const [folder, ...others] = workspaceFolders.filter(({ uri }) => uri.scheme === 'file');
  const isWanted = vscode.workspace.getConfiguration('gpuDoctor').get('mcpServer') === true;
  if (!isWanted || !isTrusted || folder === undefined) return [];
  const args = [context.asAbsolutePath('dist/cli.js'), 'mcp', ...others.map(({ uri }) => `--allow=${uri.fsPath}`)];
  const { version } = context.extension.packageJSON;
  // The editor's own program only acts as Node with this variable.
  const environment = { ELECTRON_RUN_AS_NODE: '1' };
  const definition = new vscode.McpStdioServerDefinition('GPU Doctor', process.execPath, args, environment, version);
  definition.cwd = folder.uri;
  return [definition];
}
