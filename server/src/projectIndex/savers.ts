/** Who saves a file in a project. */
import type { ProjectSaver } from '../guards/projectView.ts';
import { mayBeSameFile } from '../python/semantic/fileNames.ts';
import type { Imports } from './imports.ts';
import type { FileSummary } from './summary.ts';

/** What the search asks of the project. */
export interface SaverQuestions extends Pick<Imports, 'definitionOf'> {
  /** The files that may mention a data file of that name. */
  mentioning(fileName: string): readonly string[];
  summaryOf(path: string): Pick<FileSummary, 'saves' | 'outside'> | undefined;
}

/** The calls that save under a file name, but for those of the file itself, whose rules see them. */
export function saversOf(path: string, fileName: string, questions: SaverQuestions): readonly ProjectSaver[] {
  return questions
    .mentioning(fileName)
    .flatMap((file) => [
      ...(file === path ? [] : directSavers(file, fileName, questions)),
      ...helpersOf(file, fileName, questions),
    ]);
}

function directSavers(file: string, fileName: string, { summaryOf }: SaverQuestions): ProjectSaver[] {
  return (summaryOf(file)?.saves ?? []).flatMap(({ fileName: saved, place, device, wrappings }) =>
    saved !== undefined && mayBeSameFile(saved, fileName)
      ? [{ place: { path: file, ...place }, device, isNamed: saved === fileName, ...(wrappings && { wrappings }) }]
      : [],
  );
}

/** Functions of the project that a file has save under that name. */
function helpersOf(file: string, fileName: string, { definitionOf, summaryOf }: SaverQuestions): ProjectSaver[] {
  return (summaryOf(file)?.outside ?? []).flatMap(({ target, fileNames = {}, place }) =>
    Object.entries(fileNames).flatMap(([key, given]) => {
      const helper = mayBeSameFile(given, fileName) ? definitionOf(file, target) : undefined;
      const save =
        helper &&
        summaryOf(helper.path)?.saves.find(
          ({ parameter }) =>
            parameter?.function === helper.name && [parameter.name, String(parameter.position)].includes(key),
        );
      if (!helper || !save) return [];
      const { place: saved, device } = save;
      const calledAt = { path: file, ...place };
      // What the helper was given is the caller's.
      return [{ place: { path: helper.path, ...saved }, device, isNamed: given === fileName, calledAt }];
    }),
  );
}
