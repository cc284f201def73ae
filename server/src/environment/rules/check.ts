import { lineStarts, placeIn } from '../../python/semantic/lines.ts';
import type { CheckOptions } from '../../rules/engine/check.ts';
import type { Finding, Observation } from '../../rules/engine/contract.ts';
import { observe } from '../../rules/engine/observe.ts';
import { isSelected } from '../../rules/engine/selection.ts';
import type { EnvironmentFile, IncludedFile, LocatedSpan } from '../environmentFile.ts';
import { environmentRules } from './index.ts';

/** Returns what the selected rules find in a file, without duplicates from shared requirements. */
export function checkEnvironment(file: EnvironmentFile, options: CheckOptions = {}): Finding[] {
  return observe(
    environmentRules.filter((rule) => isSelected(rule, options)),
    {
      run(rule, { report, attempt }) {
        const reportHere: typeof report = (observation) => {
          const here = atOwnFile(observation, file);
          if (here) report(here);
        };
        for (const installation of file.installations)
          attempt(() => rule.check(installation, reportHere, file, options.known));
      },
      // One instruction may have several findings.
      placeOf: ({ span, message }) => `${span.start} ${message}`,
    },
    options,
  );
}

/**
 * Returns the observation with all of its places in the file itself: a place in an included list is replaced by the
 * place that includes the list, and its path and line are added. Undefined if no place is in the file; the list is then
 * checked separately.
 */
function atOwnFile(observation: Observation, { included = [] }: EnvironmentFile): Observation | undefined {
  const [first] = included;
  if (first === undefined) return observation;
  const ofList = ({ start }: LocatedSpan) => included.findLast((each) => start >= each.start);
  const { span, related = [], message } = observation;
  const inLists = related.flatMap((each) => ('span' in each ? [{ each, list: ofList(each.span) }] : []));
  const list = ofList(span);
  const fixes = () => (observation.fixes?.() ?? []).filter(({ edits }) => edits.every((edit) => !ofList(edit.span)));
  const relatedPlaces = inLists.map(({ each, list: of }) => (of ? elsewhere(of, each.span, each.message) : each));
  if (list === undefined) return { ...observation, related: relatedPlaces, fixes };
  const own = inLists.find((each) => each.list === undefined)?.each;
  // Each of two lists may be correct by itself. Findings within a single list are reported where that list is checked.
  const other = inLists.find((each) => each.list?.named !== list.named)?.list;
  if (own === undefined && other === undefined) return undefined;
  return {
    ...observation,
    span: own?.span ?? list.named,
    related: [elsewhere(list, span, message), ...relatedPlaces.filter((_, at) => inLists[at]?.each !== own)],
    fixes,
  };
}

/** Returns the place that includes a list, with the place inside the list in its message. */
function elsewhere({ path, text = '', start, named }: IncludedFile, span: LocatedSpan, message: string) {
  const line = placeIn(lineStarts(text), span.start - start) + 1;
  return { span: named, message: `${message.replace(/\.$/, '')} (${path}, line ${line})` };
}
