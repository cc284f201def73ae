import { dataOnUse } from '../dataOnUse.ts';

type Downloads = { readonly packages: Readonly<Record<string, Readonly<Record<string, number>>>> };

const downloads = dataOnUse<Downloads>(import.meta.dirname, 'downloads');

/** The GB that a pinned requirement such as "torch==2.6.0" downloads at most; undefined if no table has its size. */
export function gigabytesOf(requirement: string): number | undefined {
  const [, asked = '', version = ''] = /^([^=]+)==([\d.]+\d)(?:\.\*)?$/.exec(requirement) ?? [];
  const { [asked]: releases = {} } = downloads().packages;
  return releases[version] ?? releases[version.split('.').slice(0, 2).join('.')];
}
