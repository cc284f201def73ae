/** Where each rule is explained. */
import { documentationPage } from '../../documentation.ts';

/** Address of a rule's page, for `codeDescription`, SARIF and `url`. */
export function pageOf(code: string): string {
  return documentationPage('rules', code);
}
