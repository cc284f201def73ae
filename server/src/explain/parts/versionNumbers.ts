/** Versions that messages print as one number, such as 12080 for CUDA 12.8 and 8904 for cuDNN 8.9.4. */
import { cudaOfNumber, cudnnOfNumber } from '../../published/releases/versionNumbers.ts';

type Parts = Readonly<Record<string, string>>;

/**
 * What was captured, with such numbers as people write them: of parts whose name ends with "Cuda" or "Cudnn".
 * `cudnnMajor` is the number that wheels of that cuDNN begin with, `libraryCuda` and `libraryCudnn`
 * are what a library of before CUDA 11 is of.
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

/** "libcublas.so.9.0" is of CUDA 9.0, "cudnn64_6.dll" of cuDNN 6, which was the last for CUDA 8.0; 7 is of the program's. */
function ofLibrary(library: string, own: string | undefined): Parts {
  const [, cudnn] = library.match(/^(?:lib)?cudnn(?:\.so\.|64_)([4-7])/) ?? [];
  const cuda = Number(cudnn) < 7 ? '8.0' : own;
  if (cudnn !== undefined) return { libraryCudnn: cudnn, ...(cuda !== undefined && { libraryCuda: cuda }) };
  const [, major, minor] = library.match(/\.so\.([789]|10)\.(\d)$|64_([5-9]|10)(\d)\.dll$/)?.filter(Boolean) ?? [];
  if (major === undefined || minor === undefined) return {};
  return { libraryCuda: `${major}.${minor}`, libraryCudnn: Number(major) < 8 ? '5' : Number(major) < 9 ? '6' : '7' };
}

function cudaVersion(text: string): string {
  return /^\d{4,5}$/.test(text) ? cudaOfNumber(Number(text)) : text;
}

/** Torch also writes "8, 5, 0". */
function cudnnVersion(text: string): string {
  if (/^\d+(?:, ?\d+)+$/.test(text)) return text.replace(/, ?/g, '.');
  return /^\d{4,5}$/.test(text) ? cudnnOfNumber(Number(text)) : text;
}
