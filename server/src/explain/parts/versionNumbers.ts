/** Versions that messages print as one number, such as 12080 for CUDA 12.8 and 8904 for cuDNN 8.9.4. */
import { cudaOfNumber, cudnnOfNumber } from '../../published/releases/versionNumbers.ts';

type Parts = Readonly<Record<string, string>>;

/**
 * The captures, with such numbers in the usual notation, for parts whose names end with "Cuda" or "Cudnn". `cudnnMajor`
 * is the number at the start of wheel names for that cuDNN; `libraryCuda` is the CUDA of a library from
 * before CUDA 11.
 */
export function withVersions(parts: Parts): Parts {
  const readable = Object.fromEntries(
    Object.entries(parts).map(([name, part]) => [
      name,
      name.endsWith('Cuda') ? cudaVersion(part) : name.endsWith('Cudnn') ? cudnnVersion(part) : part,
    ]),
  );
  const [cudnnMajor] = readable.builtCudnn?.split('.') ?? [];
  return {
    ...readable,
    ...(cudnnMajor !== undefined && { cudnnMajor }),
    ...ofLibrary(readable.library ?? '', readable.tensorflowCuda),
  };
}

/**
 * "libcublas.so.9.0" belongs to CUDA 9.0. "cudnn64_6.dll" belongs to cuDNN 6, whose last CUDA release is 8.0; cuDNN 7
 * belongs to the program's CUDA release.
 */
function ofLibrary(library: string, own: string | undefined): Parts {
  const [, cudnn] = library.match(/^(?:lib)?cudnn(?:\.so\.|64_)([4-7])/) ?? [];
  const cuda = Number(cudnn) < 7 ? '8.0' : own;
  if (cudnn !== undefined) return cuda === undefined ? {} : { libraryCuda: cuda };
  const [, major, minor] = library.match(/\.so\.([789]|10)\.(\d)$|64_([5-9]|10)(\d)\.dll$/)?.filter(Boolean) ?? [];
  return major === undefined || minor === undefined ? {} : { libraryCuda: `${major}.${minor}` };
}

function cudaVersion(text: string): string {
  return /^\d{4,5}$/.test(text) ? cudaOfNumber(Number(text)) : text;
}

/** Torch also prints "8, 5, 0". */
function cudnnVersion(text: string): string {
  if (/^\d+(?:, ?\d+)+$/.test(text)) return text.replace(/, ?/g, '.');
  return /^\d{4,5}$/.test(text) ? cudnnOfNumber(Number(text)) : text;
}
