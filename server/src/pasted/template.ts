/** Comments, boxes that nobody has ticked, and examples of answers: what the template of an issue brings along. */
const BROUGHT =
  /<!--[\s\S]{0,4000}?-->|^[ \t>]*[-*] \[ \].*$|[ \t]*[([](?:e\.? ?g\b\.?|i\.e\.|for example|such as|for instance|if (?:compiling|applicable|the issue|you)|use command|as opposed)[^()[\]\n]*[)\]]/gim;

/** A text without what its template says, so that an example is not taken for an answer. */
export function withoutTemplate(text: string): string {
  return text.replace(BROUGHT, '');
}
