import * as vscode from 'vscode';
import { CALL_TOOL } from '../../server/src/protocol.ts';
import type { Server } from './server.ts';

/** Prefix of the tools' names, which are shared by all extensions. */
const PREFIX = 'gpu-doctor_';

/** Registers the manifest's tools for language models. An editor may lack the API. */
export function registerAgentTools(context: vscode.ExtensionContext, server: Server): vscode.Disposable {
  const lm: Partial<typeof vscode.lm> | undefined = vscode.lm;
  const tools = lm?.registerTool
    ? namesIn(context.extension.packageJSON).map((name) => lm.registerTool?.(name, tool(name, server)))
    : [];
  return vscode.Disposable.from(...tools.filter((each) => each !== undefined));
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
