import type { Program } from '../guards/program.ts';
import type { ProjectNeeds } from '../guards/projectView.ts';
import { isInOtherFile, type Reason } from '../guards/reason.ts';
import { spanOf } from '../python/semantic/source.ts';
import type { RelatedPlace } from './engine/contract.ts';
import { fitted } from './engine/message.ts';
import { inProgram, type Rule } from './engine/rule.ts';
import { fixesOfSites } from './fixes/chooseDevice.ts';
import { asSuggestion } from './fixes/offers.ts';
import { CUDA_SITES, type CudaSite, cudaSitesIn, isOpen, ownCpuOffers } from './queries/cudaSites.ts';
import { deviceUses, isOfCallers } from './queries/deviceUses.ts';

/** The reason why a site is a hint if another one stands for the whole program. */
export const SAME_CAUSE = 'the first such place of the program is reported';

/** GPU202: code needs a GPU, but nothing checks that there is one. */
export const unguardedCuda: Rule = {
  code: 'GPU202',
  name: 'unguarded-cuda',
  summary: 'CUDA is used without a check that it is available.',
  reports: '`.cuda()`, `"cuda"` and other uses of CUDA without a check for a GPU',
  severity: 'warning',
  asksProject: (matches) => matches.of(deviceUses).some(isOfCallers),
  // All sites of a program have one cause and one fix, and only the first of them is reported.
  listener: inProgram(CUDA_SITES, ({ program, report }) => {
    const sites = cudaSitesIn(program);
    const open = sites.filter(isOpen);
    const [first] = open;
    const offer = first && offerOf(program);
    const needs = first && !offer ? program.project?.cudaNeeds() : undefined;
    const others = needs?.paths.filter((path) => path !== program.source.path) ?? [];
    const isMarkedElsewhere = needs !== undefined && needs.first.path !== program.source.path;
    for (const site of sites) {
      const { span, reasons, subject, consequence } = site;
      const fixes = () =>
        isOpen(site) ? fixesOfSites(program, open) : fixesOfSites(program, [site]).map(asSuggestion);
      if (site === first && !isMarkedElsewhere) {
        report({
          span,
          level: 'flag',
          ...(offer ? contradiction(site, offer) : mark(needs ?? { places: open.length, paths: [] })),
          related: offer ? [offer.related] : [],
          sharedWith: others,
          fixes,
        });
        continue;
      }
      const own: readonly Reason[] =
        isOpen(site) && first
          ? [{ because: SAME_CAUSE, at: needs && isMarkedElsewhere ? needs.first : first.span }]
          : [];
      report({
        span,
        level: 'flag',
        reasons: [...reasons, ...own],
        related: own.flatMap(({ at }) => (at && !isInOtherFile(at) ? [{ span: at, message: 'Reported here.' }] : [])),
        message: fitted(`${subject} ${consequence}.`, `This ${consequence}.`),
        sharedWith: isOpen(site) ? others : [],
        fixes,
      });
    }
  }),
};

interface Offer {
  readonly related: RelatedPlace;
  /** The place in words: `line 12`, `train.py`. */
  readonly place: string;
}

/** Returns a place where the program offers the CPU: in this file, or in one that runs it or that it runs. */
function offerOf(program: Program): Offer | undefined {
  const [own] = ownCpuOffers(program);
  if (own) {
    const { node, because } = own;
    const { cell, line } = program.placeOf(node.start);
    const place =
      program.source.kind === 'notebook' ? `cell ${(program.source.cells[cell]?.index ?? 0) + 1}` : `line ${line + 1}`;
    return { place, related: { span: spanOf(node), message: because } };
  }
  const other = program.project?.cpuOffer();
  if (!other) return undefined;
  const { because, place } = other;
  return {
    place: place.path.replace(/^.*[/\\]/, ''),
    related: { elsewhere: place, message: because },
  };
}

const contradiction = ({ subject, consequence }: CudaSite, { place }: Offer) => ({
  message: fitted(
    `${subject} ${consequence}, but the program offers the CPU (${place}).`,
    `${subject} ${consequence}, but the program offers the CPU.`,
    `This ${consequence}, but the program offers the CPU.`,
  ),
});

const mark = ({ places, paths }: Pick<ProjectNeeds, 'places' | 'paths'>) => ({
  severity: 'information' as const,
  message:
    places === 1
      ? 'This program needs an NVIDIA GPU: one place uses CUDA without a check.'
      : `This program needs an NVIDIA GPU: ${places} places${paths.length > 1 ? ` in ${paths.length} files` : ''} use CUDA without a check.`,
});
