/** Dev containers: their image, whether they get a GPU, and what their commands install. */
import { findNodeAtLocation, type Node as JsonNode, type ParseError, parseTree, visit } from 'jsonc-parser';
import { type EnvironmentFile, installationOf, type Span, type Written } from '../environmentFile.ts';
import { written } from '../requirement.ts';
import { readShell } from './shell.ts';

/** The properties that hold commands. */
const COMMANDS = ['onCreateCommand', 'updateContentCommand', 'postCreateCommand', 'postStartCommand'];

export function readDevcontainer(text: string): EnvironmentFile {
  const problems: ParseError[] = [];
  const tree = parseTree(text, problems, { allowTrailingComma: true });
  const comments = commentsIn(text);
  if (!tree || problems.length > 0) {
    const { offset = 0, length = 0 } = problems[0] ?? {};
    const error = { message: 'this is not JSON', span: { start: offset, end: offset + length } };
    return { kind: 'devcontainer', installations: [], comments, errors: [error] };
  }
  const image = textOf(text, findNodeAtLocation(tree, ['image']));
  const installed = COMMANDS.flatMap((name) =>
    textsOf(text, findNodeAtLocation(tree, [name])).map((command) => readShell(command.text, command.span.start)),
  );
  const installation = installationOf(
    installed.flatMap(({ requirements }) => requirements),
    {
      channels: installed.flatMap(({ channels }) => channels),
      systemPackages: installed.flatMap(({ systemPackages }) => systemPackages),
      isPartial: true,
      asksForGpu: asksForGpu(tree),
      ...(image && { image: { ...image, compiles: installed.some(({ compiles }) => compiles) } }),
    },
  );
  return { kind: 'devcontainer', installations: [installation], comments, errors: [] };
}

function asksForGpu(tree: JsonNode): boolean {
  const valueAt = (...path: string[]) => findNodeAtLocation(tree, path);
  const isAsked = ['hostRequirements.gpu', 'runArgs'].some((path) => {
    const node = valueAt(...path.split('.'));
    const values = node?.children?.map(({ value }) => String(value)) ?? [String(node?.value ?? 'false')];
    return (
      node !== undefined && values.some((value) => /gpu|nvidia|device/.test(value) || /^(?:true|optional)$/.test(value))
    );
  });
  return isAsked || valueAt('dockerComposeFile') !== undefined || valueAt('hostRequirements', 'gpu')?.type === 'object';
}

/** The commands of a property: a text, or one by name. A list is one command's words, which is rarely written. */
function textsOf(text: string, node: JsonNode | undefined): Written[] {
  if (node?.type === 'object') return (node.children ?? []).flatMap((pair) => textsOf(text, pair.children?.[1]));
  const own = textOf(text, node);
  return own ? [own] : [];
}

/** A string that holds no escapes. */
function textOf(text: string, node: JsonNode | undefined): Written | undefined {
  if (node?.type !== 'string' || typeof node.value !== 'string') return undefined;
  return text.startsWith(node.value, node.offset + 1) ? written(node.value, node.offset + 1) : undefined;
}

function commentsIn(text: string): Span[] {
  const comments: Span[] = [];
  visit(text, { onComment: (start, length) => void comments.push({ start, end: start + length }) });
  return comments;
}
