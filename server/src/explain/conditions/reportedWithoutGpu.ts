import { type Condition, shown } from './condition.ts';

/**
 * Authors' statements that their machine has no NVIDIA GPU; "GPU support" refers to builds, and torch itself prints "if
 * you are running on a CPU-only machine".
 */
const SAID = [
  /\b(?:non|no|without(?: an?| any)?|(?:don'?t|do not|doesn'?t) have an?y?)\s?-?(?:(?:nvidia|dedicated|cuda)\s)?gpus?\s(?:laptop|machine|computer|pc\b|server|here|on (?:my|this))/i,
  /\b(?:run|use|work|test|try|train)\w{0,4}\s[^\n]{0,20}without\s(?:(?:an?|any|my|the)\s)?(?:(?:nvidia|cuda)\s)?gpus?\b(?! ?support)/i,
  /\b(?:I|we) (?:don'?t|do not) have (?:an?|any) (?:(?:nvidia|dedicated|cuda) )?gpus?\b/i,
  /\bGPU is (?:\w+ )?not (?:(?:by|from|of|an?) )?nvidia/i,
  /\b(?:no|without an?|do(?:es)?(?:n.t| not) have an?|not using(?: an?)?)\snvidia (?:gpu|card)(?! device)/i,
  /\b(?:system|cluster|machine|computer|laptop|pc|server),? (?:which|that) (?:has no|does(?: not|n'?t) have (?:an?|any)) (?:(?:nvidia|cuda) )?gpu/i,
  /\bwithout (?:cuda\/)?nvidia\b(?!-| (?:driver|docker|container|toolkit|support))/i,
  /(?<!running on a )\bcpu[- ]only (?:laptop|machine|computer|pc\b|server)/i,
  /\bonly (?:has|have|had|got) (?:(?:an?|the) )?cpu\b/i,
  /(?:没有|无) ?(?:GPU|显卡|独显)|(?:只有|用的是) ?CPU/i,
  /\b(?:pc|computer|laptop|machine|server|mac\w*),?\s\*{0,2}without\*{0,2}\s(?:(?:an?|any)\s)?(?:nv?i?[dv]i[dv]?i?a|cuda|gpu)\b(?! ?support)/i,
];

/** True if the author says so. */
export const reportedWithoutGpu: Condition = ({ text }) => {
  const said = SAID.map((each) => each.exec(text)?.[0]).find((each) => each !== undefined);
  return said === undefined
    ? shown(false, 'the text does not say so')
    : shown(true, `the text says "${said.replace(/\s+/g, ' ')}"`);
};
