import type { StackFacts } from './facts.ts';

/**
 * The same facts for an issue or a forum post: the home folder is "~" and the user's name is gone.
 * Judge and print these instead of the others; `home` is `machine.home`.
 */
export declare function shareable(facts: StackFacts, home: string): StackFacts;
