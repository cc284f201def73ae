import type { Safety } from '../../checkpoint.ts';
import { needsTrust, noCode } from '../../verdicts.ts';
import { auditTemplate } from './jinja/audit.ts';
import { parseTemplate } from './jinja/parser.ts';
import { TemplateTrouble } from './jinja/tokens.ts';

/** Longest template that is read, in characters; real ones have some ten thousand at most. */
const LONGEST = 500_000;

/**
 * Checks the Jinja template that formats a model's prompts. llama-cpp-python before 0.2.72 runs it without a sandbox
 * (CVE-2024-34359), and vulnerabilities have been found in its sandboxes since.
 */
export function chatTemplateIn(template: string): Safety {
  try {
    if (template.length > LONGEST) throw new TemplateTrouble(`has more than ${LONGEST} characters`);
    auditTemplate(parseTemplate(template));
    return noCode('The llama.cpp loader');
  } catch (error) {
    if (!(error instanceof TemplateTrouble)) throw error;
    const reason = `Its chat template ${error.message}, which no chat needs: ${RUNS}`;
    return error.isEscape ? { verdict: 'suspicious', reason } : needsTrust(reason);
  }
}

const RUNS = 'llama-cpp-python before 0.2.72 can run any Python code through it.';
