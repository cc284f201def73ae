import { nvidiaWheelsOf } from '../../../published/releases/nvidiaWheels.ts';
import { torchReleaseOf } from '../../../published/releases/torchReleases.ts';
import { torchWheelsOf } from '../../../published/releases/torchWheels.ts';
import { message, type Quotation, quoted } from '../../../rules/engine/message.ts';
import type { Requirement } from '../../environmentFile.ts';
import { mayMeet, systemsOf } from '../../markers.ts';
import { torchBuildOf } from '../../torchBuild.ts';
import { admits } from '../../versions.ts';
import { quotedName, requiredHere } from '../requirements.ts';
import type { Contradiction } from './contradiction.ts';

/**
 * Reports two requirements that need different versions of the same NVIDIA or Triton wheel, which no installer can
 * satisfy.
 */
export const pinnedWheels: Contradiction = (installation, report) => {
  // Successive commands may replace torch's own wheel with a newer one, as some images do on purpose.
  if (installation.image !== undefined) return;
  const needing = installation.requirements.flatMap((requirement) => {
    const wheels = wheelsOf(requirement);
    return wheels === undefined ? [] : [{ requirement, wheels }];
  });
  for (const [at, framework] of needing.entries()) {
    for (const { requirement, wheels } of needing.slice(0, at)) {
      if (!mayMeet(requirement.marker, framework.requirement.marker)) continue;
      const clash = Object.entries(framework.wheels).find(([name, specifier]) => excludes(specifier, wheels[name]));
      if (clash === undefined) continue;
      const [name, specifier] = clash;
      report({
        span: framework.requirement.span,
        level: 'flag',
        message: message`Installing fails: ${withExtras(framework.requirement)} needs ${name} ${versionIn(specifier)}, but ${withExtras(requirement)} needs ${versionIn(wheels[name] ?? '')}.`,
        related: [requiredHere(requirement)],
      });
    }
    for (const wheel of installation.requirements) {
      const required = framework.wheels[wheel.name];
      if (required === undefined || wheel.pin === undefined || !excludes(`==${wheel.pin.text}`, required)) continue;
      if (wheel.manager !== 'pip' || !mayMeet(framework.requirement.marker, wheel.marker)) continue;
      // Frameworks require these wheels only on Linux.
      if (systemsOf(wheel.marker)?.some((system) => system === 'linux' || system === 'linux-arm') === false) continue;
      report({
        span: wheel.span,
        level: 'flag',
        message: message`Installing fails: ${withExtras(framework.requirement)} needs ${wheel.name} ${versionIn(required)}, not ${quoted(wheel.pin.text)}.`,
        related: [requiredHere(framework.requirement)],
      });
    }
  }
};

/** Returns the wheels that a pinned framework from PyPI requires; for other indexes they are unknown. */
function wheelsOf(requirement: Requirement): Readonly<Record<string, string>> | undefined {
  const { name, pin, manager, sources, extras, url } = requirement;
  if (manager !== 'pip' || pin === undefined || url !== undefined) return undefined;
  const build = name === 'torch' ? torchBuildOf(requirement)?.tag : undefined;
  if (build === undefined ? sources.length > 0 : build !== torchReleaseOf(pin.text)?.pypi) return undefined;
  const triton = name === 'torch' ? torchWheelsOf(pin.text)?.triton : undefined;
  const wheels = nvidiaWheelsOf(
    name,
    pin.text,
    extras.map(({ text }) => text),
  );
  return triton ? { ...wheels, triton: `==${triton}` } : wheels;
}

/** True if an exact version and another specifier exclude each other; two ranges are not compared. */
function excludes(one: string, other: string | undefined): boolean {
  if (other === undefined) return false;
  if (one.startsWith('==')) return !admits(other, one.slice(2));
  return other.startsWith('==') && !admits(one, other.slice(2));
}

function withExtras(requirement: Requirement): Quotation {
  const { extras, name } = requirement;
  const written = extras.length === 0 ? name : `${name}[${extras.map(({ text }) => text).join(',')}]`;
  return quotedName({ ...requirement, name: written });
}

function versionIn(specifier: string): string {
  return specifier.startsWith('==') ? specifier.slice(2) : `\`${specifier}\``;
}
