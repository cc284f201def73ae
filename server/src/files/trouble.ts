import { Unreadable } from '../projectFile.ts';

/**
 * A problem with a file or an option for the user. The message is a clause that follows the name of the file: "is not
 * UTF-8 (line 3, column 7)".
 */
export class Trouble extends Error {}

/** Describes why a file cannot be read or written, as a clause that follows its name. */
export function describeSystemError(error: unknown): string {
  if (error instanceof Unreadable) return error.message;
  const code = (error as NodeJS.ErrnoException)?.code;
  switch (code) {
    case 'ENOENT':
      return 'does not exist';
    case 'EACCES':
    case 'EPERM':
      return 'cannot be accessed: permission denied';
    case 'EROFS':
      return 'cannot be written: the file system is read-only';
    case 'ENOSPC':
      return 'cannot be written: no space left on the device';
    case 'ENOTDIR':
      return 'does not exist: part of its path is not a folder';
    case 'ENAMETOOLONG':
      return 'has a name that is too long';
    case 'EISDIR':
      return 'is a folder';
    case 'ELOOP':
      return 'is a symbolic link to itself';
    default:
      return error instanceof Error ? `cannot be read or written: ${error.message}` : String(error);
  }
}
