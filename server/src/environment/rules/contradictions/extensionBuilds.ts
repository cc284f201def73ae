import { gpuPackages } from '../../../published/gpuPackages.ts';
import { cudaOfTag } from '../../../published/releases/torchReleases.ts';
import { message, type Quotation, quoted } from '../../../rules/engine/message.ts';
import { readable } from '../../address.ts';
import type { Requirement, Span } from '../../environmentFile.ts';
import { describeTag, torchBuildOf } from '../../torchBuild.ts';
import { admits } from '../../versions.ts';
import { nameAndVersion, quotedName, requiredHere, requirementsNamed } from '../requirements.ts';
import type { Contradiction } from './contradiction.ts';

/**
 * Reports compiled extensions, and pages of such extensions, that are for a torch or CUDA version other than the
 * required one.
 */
export const extensionBuilds: Contradiction = (installation, report) => {
  const torches = requirementsNamed(installation, 'torch').filter(({ manager }) => manager === 'pip');
  const [torch] = torches;
  if (torch === undefined || torches.length > 1) return;
  const judge = (what: Quotation, span: Span, madeFor: MadeFor) => {
    const clause = otherThan(torch, madeFor);
    if (clause === undefined) return;
    report({
      span,
      level: 'flag',
      message: message`${what} was compiled for ${quoted(clause)}.`,
      related: [requiredHere(torch)],
    });
  };
  for (const requirement of installation.requirements) {
    const { name, local, url, span } = requirement;
    const tag = local?.text ?? (url === undefined ? '' : readable(url));
    if (gpuPackages().extensions.includes(name)) judge(quotedName(requirement), span, madeForIn(tag));
  }
  for (const { url, span } of torch.sources) {
    if (/data\.pyg\.org|pytorch-geometric\.com/.test(url))
      judge(quoted('Everything on this page'), span, madeForIn(url));
  }
};

interface MadeFor {
  readonly torch?: string;
  readonly tag?: string;
}

/** Returns "2.1" and "cu118" for "pt21cu118", "cu118torch2.1cxx11abiFALSE" or "torch-2.1.0+cu118". */
function madeForIn(text: string): MadeFor {
  const spelled = /torch-?(\d\.\d{1,2})(?:\.\d+)?(?!\d)/.exec(text)?.[1];
  const short = /pt(\d)(\d{1,2})(?=cu|cpu|$)/.exec(text);
  const torch = spelled ?? (short ? `${short[1]}.${short[2]}` : undefined);
  const tag = /(?:^|[^a-z])(cpu|cu\d{2,3})(?!\d)/.exec(text.replace(/pt\d+|torch-?\d[\d.]*/, '+'))?.[1];
  return { ...(torch !== undefined && { torch }), ...(tag !== undefined && { tag }) };
}

function otherThan(torch: Requirement, { torch: release, tag }: MadeFor): string | undefined {
  const isExact = torch.specifier?.startsWith('==');
  if (release !== undefined && isExact && !admitsRelease(torch, release))
    return `torch ${release}, not for ${nameAndVersion(torch)}`;
  const build = torchBuildOf(torch);
  if (tag === undefined || build === undefined || tag.length < 4 || tag === build.tag) return undefined;
  return `${tag === 'cpu' ? 'the CPU' : `CUDA ${cudaOfTag(tag)}`}, but torch is installed ${describeTag(build.tag)}`;
}

function admitsRelease(torch: Requirement, release: string): boolean {
  return Array.from({ length: 10 }, (_, patch) => `${release}.${patch}`).some((version) =>
    admits(torch.specifier, version),
  );
}
