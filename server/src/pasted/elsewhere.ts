/** Words that show that a statement is, or may be, about another machine. */

/** Before a version or a GPU: another time or machine, or a wish. */
const BEFORE =
  /\b(?:try|tried|trying|trained|tested|works?|worked|working|runs|ran|succeed\w*|success\w*|fine|well|before|previous\w*|formerly|used to|downgrad\w*|upgrad\w* (?:to|from)|instead|want\w*|need\w*|should|would|could|can't|cannot|may|might|if|when|see|seen|saw|heard|your|requir\w+|support\w*|compatible|authors?|paper|colleague|friend|other|another|different|old|older|e\.g\.|such as|like|than|unlike|not|no|from(?= (?:v?\d|torch|tensor|py))|buy\w*|or|install|to)\b/i;

/** A whole sentence: another machine, the author's past steps, or the state after a fix. */
const SENTENCE =
  /\b(?:old|older|other|another|second|previous|work|academic|friend's|colleague's) (?:machine|computer|pc|laptop|server|system|desktop|workstation)\b|\b(?:this|our|the) (?:repo|repository|paper|project|experiments?)\b|\b(?:solved?|fixed|resolved|works now|working now|got (?:it|this) working|up and running)\b/i;

/** A heading: other people's environments, or a project's requirements. */
const HEADING =
  /\b(?:I saw|in|from|of|see|according to) your\b|\brequire(?:s|d|ments?)\b|\brecommend|\bprerequisites?\b|\bdependencies\b|\btested (?:on|with)\b|\bthe (?:authors?|paper)\b|\bworks? (?:on|with|for|in)\b|\b(?:another|other|old|second) (?:machine|computer|server|pc|environment)\b/i;

/** Unused hardware still exists: "it does not detect my GTX 1070". */
const UNUSED =
  /\b(?:(?:do|does|did|is|can|could|will)(?:n['’]t| not)|cannot|unable to|fail(?:s|ed)? to) (?:even )?(?:detect|see|find|us|recogni[sz]|utili[sz]|access)\w*\b/gi;

/** True if the words after these in a sentence describe another machine. */
export function isElsewhere(before: string): boolean {
  return BEFORE.test(before.replace(UNUSED, ''));
}

/** True if a whole sentence describes another machine or time. */
export function isOfAnother(sentence: string): boolean {
  return SENTENCE.test(sentence);
}

/** True if the list below a heading is about other machines, unless the heading mentions the failure. */
export function isHeadingOfOthers(heading: string): boolean {
  return HEADING.test(heading) && !/\bnot\b|n't\b|\bfail/i.test(heading);
}
