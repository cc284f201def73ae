import { inputSchemaOf, TOOLS, type ToolName } from '../server/src/cli/agents/tools.ts';

/** Prefix of the tools' names in VS Code, whose namespace all extensions share. */
const PREFIX = 'gpu-doctor_';

/** Returns the manifest with the tools for language models. */
export function withAgentTools(manifest: string): string {
  const content = JSON.parse(manifest);
  content.contributes.languageModelTools = Object.entries(TOOLS).map(([name, { title, description }]) => ({
    name: `${PREFIX}${name}`,
    displayName: title,
    modelDescription: description,
    userDescription: `${description.split(/[.:](?:\s|$)/, 1)[0]}.`,
    canBeReferencedInPrompt: true,
    toolReferenceName: referenceOf(name),
    tags: ['gpu-doctor', 'gpu', 'python'],
    when: 'isWorkspaceTrusted && (!isWeb || remoteName)',
    inputSchema: inputSchemaOf(name as ToolName),
  }));
  return `${JSON.stringify(content, null, 2)}\n`;
}

/** Returns the name that a user types after `#`: `gpuExplainError`. */
const referenceOf = (name: string) => `gpu_${name}`.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
