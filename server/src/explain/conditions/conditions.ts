import type { Condition } from './condition.ts';
import { fileConditions } from './file.ts';
import { globalConditions } from './globals.ts';
import { machineConditions } from './machine.ts';
import { nameConditions } from './names.ts';
import { offeredConditions } from './offered.ts';
import { textConditions } from './text.ts';
import { weightNameConditions } from './weightNames.ts';

/** Every condition that the catalogue of messages may name. */
export const conditions: Readonly<Record<string, Condition>> = {
  ...machineConditions,
  ...fileConditions,
  ...globalConditions,
  ...nameConditions,
  ...offeredConditions,
  ...textConditions,
  ...weightNameConditions,
};
