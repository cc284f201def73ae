/** Maximum number of cached answers; beyond that, all are discarded to limit memory use in a long session. */
const MOST = 10_000;

/**
 * A function that computes each answer once: tables of releases are compared with the same few texts again and again.
 */
export function remembering<A extends object | boolean | string | null>(
  answer: (question: string) => A,
): (question: string) => A {
  const answers = new Map<string, A>();
  return (question) => {
    const known = answers.get(question);
    if (known !== undefined) return known;
    if (answers.size >= MOST) answers.clear();
    const found = answer(question);
    answers.set(question, found);
    return found;
  };
}

/** A function that computes its answer when it is called for the first time. */
export function computedOnce<T>(work: () => T): () => T {
  let answer: { readonly is: T } | undefined;
  return () => {
    answer ??= { is: work() };
    return answer.is;
  };
}
