import { message, quoted } from '../../rules/engine/message.ts';
import type { EnvironmentRule } from './environmentRule.ts';

/** GPU611: text that pip rejects or that the shell treats as something else. */
export const rejectedRequirement: EnvironmentRule = {
  code: 'GPU611',
  name: 'rejected-requirement',
  summary: 'pip rejects a line, or the shell reads a version as a redirection.',
  reports: 'lines that pip rejects, and versions that the shell reads as redirections',
  severity: 'warning',
  check({ misread = [], image }, report) {
    if (image?.refusedPip)
      report({
        span: image.refusedPip,
        level: 'flag',
        message:
          "pip refuses to change this image's own Python: create a virtual environment, or use `--break-system-packages`.",
      });
    for (const { span, text, why } of misread)
      report({
        span,
        level: 'flag',
        message:
          why === 'redirection'
            ? message`The shell redirects at \`<\` or \`>\`, so pip gets no version: quote ${quoted(`\`${text}\``)}.`
            : why === 'equals'
              ? message`pip rejects ${quoted(`\`${text}\``)}: a version needs \`==\`.`
              : why === 'command'
                ? message`pip rejects ${quoted(`\`${text}\``)}: a requirements file lists packages, not commands.`
                : message`pip rejects ${quoted(`\`${text}\``)}: each requirement needs a line of its own.`,
      });
  },
};
