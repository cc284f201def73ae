import { hasBuildsOfTorch } from '../../../published/knownPackages.ts';
import { cudaOfTag, torchReleaseOf } from '../../../published/releases/torchReleases.ts';
import { message, quoted } from '../../../rules/engine/message.ts';
import type { Requirement } from '../../environmentFile.ts';
import { describeTag, passedOver, taggedSources, tagOfIndex, torchBuildOf } from '../../torchBuild.ts';
import { tagFix } from '../requirements.ts';
import type { Contradiction } from './contradiction.ts';

/** Reports a local tag for which the only index has no builds, and an index that ends before the required release. */
export const indexAndTag: Contradiction = ({ requirements, python }, report, { kind }) => {
  for (const requirement of requirements) {
    if (!hasBuildsOfTorch(requirement.name) || requirement.manager !== 'pip') continue;
    const tagged = taggedSources(requirement.sources);
    const [source] = tagged;
    if (source === undefined) continue;
    const own = requirement.local && torchBuildOf(requirement);
    if (own && requirement.local && !tagged.some(({ tag }) => tag === own.tag) && onlyKnown(requirement)) {
      report({
        span: requirement.span,
        level: 'flag',
        message: message`The index has no build ${quoted(`\`+${requirement.local.text}\``)}, only builds ${describeTag(source.tag)}.`,
        related: [{ span: source.span, message: 'The index is chosen here.' }],
        fixes: () => tagFix(requirement, source.tag),
      });
      continue;
    }
    const passed = own === undefined && tagged.length === 1 ? passedOver(requirement, source, python) : undefined;
    // Tools that read project files do not look for the newest version on every index.
    if (passed === undefined || requirement.marker !== '' || kind === 'pyproject') continue;
    const pypi = torchReleaseOf(passed.newest)?.pypi;
    report({
      span: requirement.span,
      level: 'flag',
      severity: 'information',
      message: `pip installs torch ${passed.newest}${pypi ? ` for CUDA ${cudaOfTag(pypi)}` : ''} from PyPI: the index for CUDA ${cudaOfTag(source.tag)} ends at torch ${passed.last}.`,
      related: [{ span: source.span, message: 'The index is chosen here.' }],
    });
  }
};

/** True if no other index may have the build; a private index may. */
function onlyKnown({ sources }: Requirement): boolean {
  return sources.every(({ url }) => tagOfIndex(url) !== undefined || /pypi|\/simple\/?$/.test(url));
}
