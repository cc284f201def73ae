import { labelled, leadingVersion, type ReportReader, reportAt } from './report.ts';
import { systemOf } from './system.ts';

/** `jax.print_environment_info()`; the nvidia-smi output after it is read separately. */
export const readReportedJax: ReportReader = (text) => {
  const found = /^[ \t>]*jax: +(\d\S*)\n[ \t>]*jaxlib: +(\d\S*)$/m.exec(text);
  const [, jax, jaxlib] = found ?? [];
  if (found === null || jax === undefined || jaxlib === undefined) return undefined;
  const body = reportAt(text, found.index);
  const python = leadingVersion(labelled(body, 'python'));
  const numpy = leadingVersion(labelled(body, 'numpy'));
  return {
    program: 'jax.print_environment_info()',
    at: found.index,
    ...systemOf(undefined, labelled(body, 'platform')),
    ...(python && { python }),
    packages: [
      { name: 'jax', version: jax },
      { name: 'jaxlib', version: jaxlib },
      ...(numpy ? [{ name: 'numpy', version: numpy }] : []),
    ],
  };
};
