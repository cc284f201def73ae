import { linuxOfJetpack } from '../published/releases/jetpacks.ts';
import type { Board } from '../stack/facts/facts.ts';

const MODEL = /\bJetson[ -]?(?:AGX )?(?:Orin|Xavier|Nano|TX[12]|Thor)(?:[ -](?:Nano|NX|AGX|Super))*\b/i;
const KERNEL = /\b\d+\.\d+\.\d+-tegra\b/;
const RELEASE = /\bR(\d{2})(?:\.(\d[\d.]*\d)| \(release\), REVISION: (\d[\d.]*\d))|\bL4T:? ?R?(\d{2}\.\d[\d.]*)/;
const JETPACK = /\bJetPack:?(?: SDK)?(?: version)?:? ?v?(\d\.\d(?:\.\d)?)\b/i;

/** The Jetson that a text names, by its model, its kernel or software that only a Jetson has. */
export function boardIn(text: string): { readonly board: Board; readonly kernel: string } | undefined {
  const model = MODEL.exec(text)?.[0];
  const kernel = KERNEL.exec(text)?.[0];
  const jetpack = JETPACK.exec(text)?.[1];
  if (model === undefined && kernel === undefined && jetpack === undefined) return undefined;
  const [, major, dotted, revision, whole] = RELEASE.exec(text) ?? [];
  const reported = whole ?? (major && `${major}.${dotted ?? revision}`);
  return {
    board: {
      model: model?.replace(/[A-Za-z]+/g, asItsMakerWrites) ?? null,
      l4t: reported ?? (jetpack === undefined ? null : (linuxOfJetpack(jetpack) ?? null)),
    },
    kernel: kernel ?? '',
  };
}

function asItsMakerWrites(word: string): string {
  return /^(?:AGX|NX|TX)$/i.test(word)
    ? word.toUpperCase()
    : `${word.charAt(0).toUpperCase()}${word.slice(1).toLowerCase()}`;
}
