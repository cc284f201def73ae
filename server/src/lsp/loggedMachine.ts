import type { Machine } from '../stack/machine/machine.ts';

/** Logs each program that is started, and how it ended. */
export function loggedMachine(machine: Machine, log: (sentence: string) => void): Machine {
  return {
    ...machine,
    async run(program, args, options) {
      const start = performance.now();
      const result = await machine.run(program, args, options);
      const { exitCode, failure, signal } = result;
      const end = failure ?? (exitCode === null ? `ended by ${signal ?? 'a signal'}` : `exit status ${exitCode}`);
      // An argument can be long, such as the text of another program.
      const given = args.map((argument) => (argument.length > 80 ? '…' : argument)).join(' ');
      log(`Started ${program} ${given}: ${end} after ${(performance.now() - start).toFixed(0)} ms.`);
      return result;
    },
  };
}
