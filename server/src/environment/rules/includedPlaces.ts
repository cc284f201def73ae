import { lineStarts, placeIn } from '../../python/semantic/lines.ts';
import type { Observation } from '../../rules/engine/contract.ts';
import type { EnvironmentFile, IncludedFile, Span } from '../environmentFile.ts';

/**
 * The observation as it is reported on the file itself: what lies in a list that the file names is told by its path and line,
 * at the place that names it. Undefined where nothing of it stands in the file, whose list is then judged by itself.
 */
export function atOwnFile(observation: Observation, { included = [] }: EnvironmentFile): Observation | undefined {
  const [first] = included;
  if (first === undefined) return observation;
  const ofList = ({ start }: Span) => included.findLast((each) => start >= each.start);
  const { span, related = [], message } = observation;
  const inLists = related.flatMap((each) => ('span' in each ? [{ each, list: ofList(each.span) }] : []));
  const list = ofList(span);
  const fixes = () => (observation.fixes?.() ?? []).filter(({ edits }) => edits.every((edit) => !ofList(edit.span)));
  const relatedPlaces = inLists.map(({ each, list: of }) => (of ? elsewhere(of, each.span, each.message) : each));
  if (list === undefined) return { ...observation, related: relatedPlaces, fixes };
  const own = inLists.find((each) => each.list === undefined)?.each;
  // Two lists may each be right by themselves. What one name leads to is told where that list is judged.
  const other = inLists.find((each) => each.list?.named !== list.named)?.list;
  if (own === undefined && other === undefined) return undefined;
  return {
    ...observation,
    span: own?.span ?? list.named,
    related: [elsewhere(list, span, message), ...relatedPlaces.filter((_, at) => inLists[at]?.each !== own)],
    fixes,
  };
}

/** A place in a list, at the place that names it. */
function elsewhere({ path, text = '', start, named }: IncludedFile, span: Span, message: string) {
  const line = placeIn(lineStarts(text), span.start - start) + 1;
  return { span: named, message: `${message.replace(/\.$/, '')} (${path}, line ${line})` };
}
