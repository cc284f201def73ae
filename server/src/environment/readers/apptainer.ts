/** Apptainer definitions: the packages that `%post` installs into a base image. */
import type { EnvironmentFile, Installation } from '../environmentFile.ts';
import { pythonOfImage, pythonOfSystem } from '../image.ts';
import { spannedText } from '../requirement.ts';
import { commentsOf } from './pipList.ts';
import { installationBy } from './script.ts';
import { readCommands } from './shell.ts';

/** A header of a stage, or the start of a section. */
const PART = /^[ \t]*(Bootstrap|From)[ \t]*:[ \t]*(\S*)[^\n]*$|^[ \t]*%(\w+)[^\n]*$/gim;

export function readApptainer(text: string): EnvironmentFile {
  const plain = text.replace(/\\\r?\n/g, (end) => ' '.repeat(end.length));
  const parts = [...plain.matchAll(PART)];
  const installations: Installation[] = [];
  let image: Installation['image'];
  let isDocker = false;
  for (const [at, { 0: line, 1: header, 2: value = '', 3: section, index }] of parts.entries()) {
    if (header?.toLowerCase() === 'bootstrap') {
      isDocker = value.toLowerCase() === 'docker';
      image = undefined;
    } else if (header !== undefined && isDocker) {
      image = { ...spannedText(value, index + line.indexOf(value)), compiles: false };
    } else if (section?.toLowerCase() === 'post') {
      const start = index + line.length;
      const commands = readCommands(plain.slice(start, parts[at + 1]?.index), start);
      const own = installationBy(commands);
      const python = own.python ?? (image && (pythonOfImage(image) ?? pythonOfSystem(image, own.systemPackages ?? [])));
      const compiles = commands.some(({ installed }) => installed.compiles);
      installations.push({ ...own, ...(python && { python }), ...(image && { image: { ...image, compiles } }) });
    }
  }
  return { kind: 'apptainer', installations, comments: commentsOf(text), errors: [] };
}
