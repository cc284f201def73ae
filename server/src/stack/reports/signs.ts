import { boardIn } from './board.ts';
import type { Report } from './report.ts';
import { systemOf } from './system.ts';

/** What a text shows of its machine beside reports: the folders in it and what frameworks warn of. It counts last. */
export function signsIn(text: string): Report {
  const container =
    /\/content\/(?:drive|sample_data)|google\.colab/.test(text) ||
    (/\/usr\/local\/lib\/python3\.\d+\/dist-packages/.test(text) && /\/content\/|ipython-input|ipykernel_/.test(text))
      ? 'Google Colab'
      : /\/kaggle\/(?:input|working)/.test(text)
        ? 'Kaggle'
        : /\broot@[0-9a-f]{12}:|\/\.dockerenv\b/.test(text)
          ? 'Docker'
          : undefined;
  const failure = text
    .match(/UserWarning: (CUDA initialization: [^\n]{10,400})/)?.[1]
    ?.replace(/ \(Triggered internally.*$/, '');
  const found = boardIn(text);
  const system = systemOf(undefined, found ? `Linux-${found.kernel}-aarch64` : platformIn(text));
  return {
    program: 'what else is in the text',
    at: text.length,
    ...system,
    ...(found && { board: found.board }),
    ...(container && { container }),
    ...(failure && { runtime: { torch: { failure } } }),
  };
}

/** Python's name of the system, by the folders that tracebacks and commands show. */
function platformIn(text: string): string | undefined {
  const windows = text.search(
    /\b[A-Za-z]:\\{1,2}(?:Users|Program Files|ProgramData|Windows|Anaconda|Python)\b|\bFile "[A-Za-z]:\\|\bcu(?:dart|blas)64_\d+\.dll/i,
  );
  const linux = text.search(
    /(?:^|[\s"'(=:])\/(?:home|usr|opt|root|mnt|data|workspace|kaggle|content)\/[\w.-]+|\blib\w+\.so\b|-linux-gnu\.so\b/m,
  );
  const mac = text.search(/(?:^|[\s"'(])\/(?:Users|opt\/homebrew|Applications)\/[\w.-]+/m);
  const first = [windows, linux, mac].filter((at) => at >= 0).sort((left, right) => left - right)[0];
  if (first === undefined) return undefined;
  if (first === linux) return /\baarch64\b/.test(text) ? 'linux aarch64' : 'linux';
  return first === windows ? 'win32' : 'darwin';
}

/** Whether TensorFlow is seen to look for CUDA, as only its builds for CUDA do. */
export function tensorflowLooksForCuda(text: string): boolean {
  return /dso_loader\.cc|cuda_gpu_executor\.cc|gpu_device\.cc|cudart_stub\.cc/.test(text);
}
