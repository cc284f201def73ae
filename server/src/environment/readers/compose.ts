/** Compose files: the images of services, whether pulled or built, and the services' GPU requests. */
import { posix } from 'node:path';
import { commentsInYaml, type Located, locateYaml } from '../../located/located.ts';
import { type EnvironmentFile, type Installation, installationOf, type SpannedText } from '../environmentFile.ts';
import { spannedText } from '../requirement.ts';
import { builtImage, type ImageBuild } from './imageBuild.ts';
import type { Includes } from './includes.ts';
import { tableOf, textAt } from './texts.ts';

export function readCompose(text: string, includes: Includes): EnvironmentFile {
  const located = locateYaml(text);
  const comments = commentsInYaml(text);
  if (located.errors.length > 0) return { kind: 'compose', installations: [], comments, errors: located.errors };
  const services = Object.entries(tableOf(tableOf(located.value).services));
  const installations = services.map(([name, value]) => {
    const service = tableOf(value);
    const gpuRequest = requestAt(text, located.valueAt(['services', name]).start);
    const reservations = service.extends === undefined ? reservationsOf(located, name, service) : [];
    const request = {
      isPartial: true,
      requestsGpu: requestsGpu(service),
      reservations,
      gpuRequest,
    };
    const build = buildOf(text, located, name, service.build);
    const built = build && builtImage(build, includes);
    if (built !== undefined) return { ...built, ...request, isBuilt: true };
    // With `build`, `image` names the result.
    const image = build ? undefined : textAt(text, located, ['services', name, 'image'], service.image);
    const described = image && { image: { ...image, compiles: false } };
    return { ...installationOf([], { ...request, ...described }), isBuilt: false };
  });
  return { kind: 'compose', installations: withRoles(installations), comments, errors: [] };
}

/** An image often serves several roles. If one of them gets a GPU, the others may not need one. */
function withRoles(services: readonly (Installation & { readonly isBuilt: boolean })[]): Installation[] {
  const withGpu = services.flatMap(({ isBuilt, requestsGpu, image }) =>
    isBuilt && requestsGpu && image ? image.text : [],
  );
  return services.map(({ isBuilt, requestsGpu = false, ...rest }) => {
    const isOtherRole = isBuilt && !requestsGpu && withGpu.includes(rest.image?.text ?? '');
    return isOtherRole ? rest : { ...rest, requestsGpu };
  });
}

/** A line to insert before a service's first line, if that is on a line of its own. */
function requestAt(text: string, at: number): Installation['gpuRequest'] {
  const indent = text.slice(text.lastIndexOf('\n', at - 1) + 1, at);
  if (indent.trim() !== '' || indent === '' || /[{[]/.test(text.charAt(at))) return undefined;
  return { title: 'Add `gpus: all`', at, text: `gpus: all\n${indent}` };
}

/** Reads how a service's image is built: `build` is a folder or a table. */
function buildOf(text: string, located: Located, service: string, value: unknown): ImageBuild | undefined {
  const path = ['services', service, 'build'];
  const folder = textAt(text, located, path, value);
  if (folder !== undefined) {
    const dockerfile = posix.join(folder.text, USUAL);
    return { context: folder.text, dockerfile, args: new Map(), target: undefined, span: folder.span };
  }
  const build = tableOf(value);
  const at = (key: string) => textAt(text, located, [...path, key], build[key]);
  const [context, dockerfile] = [at('context'), at('dockerfile')];
  const inline = inlineAt(text, located, path, build.dockerfile_inline);
  const named = dockerfile ?? context;
  const span = named?.span ?? (inline && { start: inline.start, end: inline.start + inline.text.trimEnd().length });
  if (span === undefined) return undefined;
  return {
    context: context?.text ?? '.',
    // The Dockerfile's path is relative to the folder.
    dockerfile: posix.join(context?.text ?? '.', dockerfile?.text ?? USUAL),
    inline,
    args: argsAt(text, located, [...path, 'args'], build.args),
    target: at('target')?.text,
    span,
  };
}

const USUAL = 'Dockerfile';

/** Arguments are a table, or a list of "NAME=value". */
function argsAt(text: string, located: Located, path: string[], value: unknown): Map<string, SpannedText> {
  const found = new Map<string, SpannedText>();
  if (Array.isArray(value))
    for (const [index, item] of value.entries()) {
      const own = textAt(text, located, [...path, index], item);
      const [, name, assigned] = /^(\w+)=(.*)$/s.exec(own?.text ?? '') ?? [];
      if (own && name !== undefined && assigned !== undefined)
        found.set(name, spannedText(assigned, own.span.start + name.length + 1));
    }
  else
    for (const [name, item] of Object.entries(tableOf(value))) {
      const { start, end } = located.valueAt([...path, name]);
      const own = textAt(text, located, [...path, name], item) ?? spannedText(text.slice(start, end), start);
      if (item !== null && typeof item !== 'object') found.set(name, own);
    }
  return found;
}

/** A Dockerfile in a block of text. The indentation of its lines does not matter. */
function inlineAt(text: string, located: Located, path: string[], value: unknown): ImageBuild['inline'] {
  if (typeof value !== 'string') return undefined;
  const { start, end } = located.valueAt([...path, 'dockerfile_inline']);
  const head = /^\|[^\n]*\n/.exec(text.slice(start, end))?.[0];
  return head === undefined ? undefined : { text: text.slice(start + head.length, end), start: start + head.length };
}

/** Each reservation has the place of its first key. Reservations that another file may extend are unknown. */
function reservationsOf(
  located: Located,
  name: string,
  { deploy }: Record<string, unknown>,
): NonNullable<Installation['reservations']> {
  const { devices } = tableOf(tableOf(tableOf(deploy).resources).reservations);
  if (!Array.isArray(devices)) return [];
  return devices.flatMap((device, index) => {
    const keys = Object.keys(tableOf(device));
    const [first] = keys;
    const path = ['services', name, 'deploy', 'resources', 'reservations', 'devices', index];
    return first === undefined ? [] : [{ keys, span: located.keyAt([...path, first]) }];
  });
}

/** Any GPU request counts: a reservation, `gpus`, NVIDIA's runtime, a device, or another service's settings. */
function requestsGpu(service: Record<string, unknown>): boolean {
  const { deploy, gpus, runtime, devices, device_cgroup_rules, extends: base, environment } = service;
  if ([gpus, devices, device_cgroup_rules, base].some((each) => each !== undefined) || runtime === 'nvidia')
    return true;
  if (tableOf(tableOf(tableOf(deploy).resources).reservations).devices !== undefined) return true;
  return /NVIDIA_VISIBLE_DEVICES|CUDA_VISIBLE_DEVICES/.test(JSON.stringify(environment ?? ''));
}
