/** Dev containers: their image, their GPU request, and the packages that their commands install. */
import { findNodeAtLocation, type Node as JsonNode, type ParseError, parseTree, visit } from 'jsonc-parser';
import {
  type EnvironmentFile,
  type Installation,
  installationOf,
  type LocatedSpan,
  type SpannedText,
  type VersionRange,
} from '../environmentFile.ts';
import { pythonOfImage } from '../imagePython.ts';
import { spannedText } from '../requirement.ts';
import { listInImage } from './buildContext.ts';
import { builtImage, type ImageBuild } from './imageBuild.ts';
import type { Includes } from './includes.ts';
import { joinedEffects, readCommands } from './shell.ts';

/** Properties with commands. */
const COMMANDS = ['onCreateCommand', 'updateContentCommand', 'postCreateCommand', 'postStartCommand'];

export function readDevcontainer(text: string, includes: Includes): EnvironmentFile {
  const problems: ParseError[] = [];
  const tree = parseTree(text, problems, { allowTrailingComma: true });
  const comments = commentsIn(text);
  if (!tree || problems.length > 0) {
    const { offset = 0, length = 0 } = problems[0] ?? {};
    const error = { message: 'this is not JSON', span: { start: offset, end: offset + length } };
    return { kind: 'devcontainer', installations: [], comments, errors: [error] };
  }
  const build = buildOf(text, tree);
  const built = build && builtImage(build, includes);
  const image = textOf(text, findNodeAtLocation(tree, ['image'])) ?? built?.image;
  // Commands run in the workspace folder, which contains `.devcontainer` or is its parent.
  const listAt = listInImage(includes, [{ from: '.', to: '/' }], '/');
  const installed = COMMANDS.flatMap((name) =>
    commandsOf(text, findNodeAtLocation(tree, [name])).map(({ text: command, span }) =>
      joinedEffects(readCommands(command, span.start, new Map(), listAt).map((each) => each.installed)),
    ),
  );
  const feature = pythonOfFeature(text, findNodeAtLocation(tree, ['features']));
  const python = feature ?? built?.python ?? (image && pythonOfImage(image));
  const gpuRequest = requestIn(text, tree);
  const installation = installationOf(
    [...(built?.requirements ?? []), ...installed.flatMap(({ requirements }) => requirements)],
    {
      channels: installed.flatMap(({ channels }) => channels),
      systemPackages: installed.flatMap(({ systemPackages }) => systemPackages),
      isPartial: true,
      requestsGpu: requestsGpu(tree),
      gpuRequest,
      python,
      ...(image && {
        image: { ...image, compiles: (built?.image?.compiles ?? false) || installed.some(({ compiles }) => compiles) },
      }),
    },
  );
  return { kind: 'devcontainer', installations: [installation], comments, errors: [] };
}

/** Reads how the image is built. `dockerFile` and `context` were once outside of `build`. */
function buildOf(text: string, tree: JsonNode): ImageBuild | undefined {
  const at = (...path: string[]) => textOf(text, findNodeAtLocation(tree, path));
  const dockerfile = at('build', 'dockerfile') ?? at('dockerFile');
  if (dockerfile === undefined) return undefined;
  const args = new Map<string, SpannedText>();
  for (const { children = [] } of findNodeAtLocation(tree, ['build', 'args'])?.children ?? []) {
    const value = textOf(text, children[1]);
    if (value) args.set(String(children[0]?.value), value);
  }
  const context = (at('build', 'context') ?? at('context'))?.text ?? '.';
  return { context, dockerfile: dockerfile.text, args, target: at('build', 'target')?.text, span: dockerfile.span };
}

function requestsGpu(tree: JsonNode): boolean {
  const valueAt = (...path: string[]) => findNodeAtLocation(tree, path);
  const hasOption = ['hostRequirements.gpu', 'runArgs'].some((path) => {
    const node = valueAt(...path.split('.'));
    const values = node?.children?.map(({ value }) => String(value)) ?? [String(node?.value ?? 'false')];
    return (
      node !== undefined && values.some((value) => /gpu|nvidia|device/.test(value) || /^(?:true|optional)$/.test(value))
    );
  });
  return (
    hasOption || valueAt('dockerComposeFile') !== undefined || valueAt('hostRequirements', 'gpu')?.type === 'object'
  );
}

/** Returns a property to insert before the first one; it requests a GPU if the machine has one. */
function requestIn(text: string, tree: JsonNode): Installation['gpuRequest'] {
  const first = tree.children?.[0];
  if (first === undefined || findNodeAtLocation(tree, ['hostRequirements'])) return undefined;
  const line = text.slice(text.lastIndexOf('\n', first.offset - 1) + 1, first.offset);
  const property = '"hostRequirements": { "gpu": "optional" },';
  const gap = line.trim() === '' ? `\n${line}` : ' ';
  return { title: 'Request a GPU if one is available', at: first.offset, text: `${property}${gap}` };
}

/**
 * Returns the commands in a property: a string, or an object of strings. A list, which holds the words of one command,
 * is rare and not read.
 */
function commandsOf(text: string, node: JsonNode | undefined): SpannedText[] {
  if (node?.type === 'object') return (node.children ?? []).flatMap((pair) => commandsOf(text, pair.children?.[1]));
  if (node?.type !== 'string') return [];
  const raw = text.slice(node.offset + 1, node.offset + node.length - 1);
  // Spaces replace the backslashes of escapes, to keep offsets.
  const ESCAPED: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r' };
  const plain = raw.replace(/\\(["\\/ntr])/g, (_, escaped: string) => ` ${ESCAPED[escaped] ?? escaped}`);
  return /\\[bfu]/.test(raw) ? [] : [spannedText(plain, node.offset + 1)];
}

/** Returns the Python version that the feature with that name installs. */
function pythonOfFeature(text: string, features: JsonNode | undefined): VersionRange | undefined {
  const feature = features?.children?.find((each) => /\/features\/python(?::|$)/.test(each.children?.[0]?.value));
  const value = feature?.children?.[1];
  const version = value?.type === 'object' ? textOf(text, findNodeAtLocation(value, ['version'])) : undefined;
  const minor = /^3\.\d+(?:\.\d+)?$/.exec(version?.text ?? '')?.[0];
  if (version === undefined || minor === undefined) return undefined;
  return { specifier: `==${minor}${minor.split('.').length === 2 ? '.*' : ''}`, span: version.span };
}

/** Returns a string without escapes. */
function textOf(text: string, node: JsonNode | undefined): SpannedText | undefined {
  if (node?.type !== 'string' || typeof node.value !== 'string') return undefined;
  return text.startsWith(node.value, node.offset + 1) ? spannedText(node.value, node.offset + 1) : undefined;
}

function commentsIn(text: string): LocatedSpan[] {
  const comments: LocatedSpan[] = [];
  visit(text, { onComment: (start, length) => void comments.push({ start, end: start + length }) });
  return comments;
}
