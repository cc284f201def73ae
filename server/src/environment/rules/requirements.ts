/** Queries and fixes that several rules share. */
import type { Fix } from '../../rules/edits/fix.ts';
import type { RelatedPlace } from '../../rules/engine/contract.ts';
import { type Quotation, quoted } from '../../rules/engine/message.ts';
import type { Installation, Requirement } from '../environmentFile.ts';

/** Returns the requirements with that name. */
export function requirementsNamed(installation: Installation, name: string): Requirement[] {
  return installation.requirements.filter((requirement) => requirement.name === name);
}

/** Returns the first of the requirements that say the same: a list may repeat a line many times. */
export function firstOfEach(requirements: readonly Requirement[]): Requirement[] {
  const found = new Map<string, Requirement>();
  for (const each of requirements) {
    const { name, manager, specifier, local, url, marker, extras, sources } = each;
    const said = [name, manager, specifier, local?.text, url, marker, extras.map(({ text }) => text)];
    const key = JSON.stringify([...said, sources.map((source) => source.url)]);
    if (!found.has(key)) found.set(key, each);
  }
  return [...found.values()];
}

/** Returns package and version: "torch 2.1.0", "torchvision `>=0.15,<0.16`", "torch". */
export function nameAndVersion({ name, pin, specifier }: Requirement): string {
  if (pin !== undefined) return `${name} ${pin.text}`;
  const exact = /^==([\d.]+(?:\.\*)?)$/.exec(specifier ?? '')?.[1];
  if (exact !== undefined) return `${name} ${exact}`;
  return specifier ? `${name} \`${specifier}\`` : name;
}

/** Returns the package and version as a quotation in a message. */
export const quotedName = (requirement: Requirement): Quotation => quoted(nameAndVersion(requirement));

/** Returns the place of a requirement that explains a finding. */
export const requiredHere = (requirement: Requirement): RelatedPlace => ({
  span: requirement.span,
  message: `${nameAndVersion(requirement)} is required here.`,
});

/** Returns the fix that changes a pinned version to another with the same number of parts; none without a pin. */
export function pinFix({ name, pin, url }: Requirement, version: string | undefined): Fix[] {
  if (pin === undefined || version === undefined || url !== undefined) return [];
  const length = pin.text.split('.').length;
  const newText = version.split('.').slice(0, length).join('.');
  return [{ title: `Change to ${name} ${newText}`, tier: 'suggestion', edits: [{ span: pin.span, newText }] }];
}

/** Returns the fix that changes a local tag; none without one. */
export function tagFix({ local }: Requirement, tag: string): Fix[] {
  if (local === undefined) return [];
  return [{ title: `Change to \`+${tag}\``, tier: 'suggestion', edits: [{ span: local.span, newText: tag }] }];
}
