/** The documentation page of each rule. */
import { documentationPage } from '../../documentation.ts';

/** Returns the address of a rule's page, for `codeDescription`, SARIF and `url`. */
export function pageOf(code: string): string {
  return documentationPage('rules', code);
}
