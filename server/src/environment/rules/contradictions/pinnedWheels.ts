import { torchReleaseOf } from '../../../stack/releases/torchReleases.ts';
import { torchWheelsOf } from '../../../stack/releases/torchWheels.ts';
import { mayMeet } from '../../markers.ts';
import { torchBuildOf } from '../../torchBuild.ts';
import { named, wanted } from '../requirements.ts';
import type { Contradiction } from './contradiction.ts';

/** A wheel of NVIDIA's in another version than the torch beside it requires to the digit: no installer finds both. */
export const pinnedWheels: Contradiction = (installation, report) => {
  // One command after the other may put a newer wheel over torch's own, as some images do on purpose.
  if (installation.image !== undefined) return;
  for (const torch of named(installation, 'torch')) {
    if (torch.manager !== 'pip' || torch.pin === undefined) continue;
    const build = torchBuildOf(torch)?.tag;
    // Of what other indexes have, the pins are not known.
    if (build === undefined ? torch.sources.length > 0 : build !== torchReleaseOf(torch.pin.text)?.pypi) continue;
    const wheels = torchWheelsOf(torch.pin.text)?.wheels ?? {};
    for (const wheel of installation.requirements) {
      const required = wheels[wheel.name];
      if (required === undefined || wheel.pin === undefined || wheel.pin.text === required) continue;
      if (wheel.manager !== 'pip' || !mayMeet(torch.marker, wheel.marker)) continue;
      report({
        span: wheel.span,
        verdict: 'flag',
        message: `${wanted(torch)} requires ${wheel.name} ${required}, not ${wheel.pin.text}: no installer finds both.`,
        related: [{ span: torch.span, message: `${wanted(torch)} is asked for here` }],
      });
    }
  }
};
