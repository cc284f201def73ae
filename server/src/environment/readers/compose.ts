/** Compose files: the images of services, and whether they ask for a GPU. */
import { commentsInYaml, locateYaml } from '../../located/located.ts';
import { type EnvironmentFile, type Installation, installationOf } from '../environmentFile.ts';
import { written } from '../requirement.ts';
import { tableOf, textAt } from './texts.ts';

export function readCompose(text: string): EnvironmentFile {
  const located = locateYaml(text);
  const comments = commentsInYaml(text);
  if (located.errors.length > 0) return { kind: 'compose', installations: [], comments, errors: located.errors };
  const services = Object.entries(tableOf(tableOf(located.value).services));
  const installations = services.map(([name, value]): Installation => {
    const service = tableOf(value);
    const image = textAt(text, located, ['services', name, 'image'], service.image);
    const described = image && { image: { ...written(image.text, image.start), compiles: false } };
    return installationOf([], { isPartial: true, asksForGpu: asksForGpu(service), ...described });
  });
  return { kind: 'compose', installations, comments, errors: [] };
}

/** By any of the ways that there are: a reservation, `gpus`, NVIDIA's runtime, a device, or another service's settings. */
function asksForGpu(service: Record<string, unknown>): boolean {
  const { deploy, gpus, runtime, devices, device_cgroup_rules, extends: base, environment } = service;
  if ([gpus, devices, device_cgroup_rules, base].some((each) => each !== undefined) || runtime === 'nvidia')
    return true;
  if (tableOf(tableOf(tableOf(deploy).resources).reservations).devices !== undefined) return true;
  return /NVIDIA_VISIBLE_DEVICES|CUDA_VISIBLE_DEVICES/.test(JSON.stringify(environment ?? ''));
}
