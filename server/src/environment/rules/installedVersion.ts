import { message } from '../../rules/engine/message.ts';
import type { EnvironmentKind, Requirement } from '../environmentFile.ts';
import { admits } from '../versions.ts';
import type { EnvironmentRule } from './environmentRule.ts';
import { quotedName } from './requirements.ts';

/** Files whose packages people install into the Python that they work with. */
const INSTALLED_HERE: readonly EnvironmentKind[] = [
  'requirements',
  'requirementsIn',
  'pyproject',
  'pipfile',
  'setupCfg',
];

/** GPU610: a framework whose installed version is not the required one. */
export const versionBesideFile: EnvironmentRule = {
  code: 'GPU610',
  name: 'installed-version',
  summary: 'The installed version of a framework is not the required one.',
  reports: 'a framework whose installed version is not the required one',
  severity: 'information',
  isAboutMachine: true,
  check(installation, report, { kind, installations }, known) {
    // Extras and groups may be intended for other machines.
    if (!INSTALLED_HERE.includes(kind) || installations[0] !== installation) return;
    const versions: Readonly<Record<string, string | undefined>> = {
      torch: known?.torchVersion,
      tensorflow: known?.tensorflowVersion,
    };
    const other = installation.requirements.find((each) => excludes(each, versions[each.name]));
    if (other === undefined) return;
    report({
      span: other.span,
      level: 'flag',
      message: message`${other.name} ${versions[other.name] ?? ''} is installed in the selected Python, but ${quotedName(other)} is required here.`,
    });
  },
};

function excludes({ manager, marker, url, specifier }: Requirement, version: string | undefined): boolean {
  if (version === undefined || manager !== 'pip' || marker !== '' || url !== undefined || !specifier) return false;
  const [release = ''] = version.split('+');
  // Custom and nightly builds do not correspond to a release.
  return /^\d+(?:\.\d+)*$/.test(release) && !admits(specifier, release);
}
