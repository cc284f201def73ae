import { parseProgram } from '../guards/program.ts';
import { reportRangeOf } from '../python/semantic/reportRange.ts';
import { type Source, script } from '../python/semantic/source.ts';
import { parseModule } from '../python/syntax/parse.ts';
import { cudaVisibleDevicesTooLate } from '../rules/cudaVisibleDevicesTooLate.ts';
import type { Edit } from '../rules/edits/fix.ts';
import { checkProgram } from '../rules/engine/check.ts';
import type { Finding, Knowledge } from '../rules/engine/contract.ts';
import { hardcodedDeviceIndex } from '../rules/hardcodedDeviceIndex.ts';
import { rules } from '../rules/index.ts';
import { torchLoadMapLocation } from '../rules/torchLoadMapLocation.ts';
import { torchLoadWeightsOnly } from '../rules/torchLoadWeightsOnly.ts';
import { unguardedCuda } from '../rules/unguardedCuda.ts';
import type { RemedyEdit } from './explanation.ts';

/** The findings of the rules in the failing line, and findings elsewhere in its program that take effect there. */
export interface JudgedLine {
  readonly findings: readonly LineFinding[];
}

interface LineFinding {
  readonly code: string;
  readonly message: string;
  readonly fixes: readonly LineFix[];
}

interface LineFix {
  readonly title: string;
  /** The line after its fix; for a finding elsewhere, the line that moves. */
  readonly line: string;
  /** Undefined if the line's file is not available. */
  readonly edit?: RemedyEdit;
}

/** A line of a source. */
export interface Line {
  /** Index into `Source.cells`. */
  readonly cell: number;
  /** From 1. */
  readonly line: number;
}

/** Checks a line of an available file or notebook. */
export function judgeLine(source: Source, line: Line, known?: Knowledge): JudgedLine {
  return judged(source, line, known, true);
}

/**
 * Checks a line without its file, as tracebacks print it: the frameworks are assumed to be imported under their usual
 * names. Undefined if the statement continues on the next line, which may contain what seems to be missing.
 */
export function judgeQuoted(code: string, known?: Knowledge): JudgedLine | undefined {
  const statement = code.replace(/^(?:>>>|\.\.\.) ?/, '').replace(/^(?:return|await|yield)\s+/, '');
  const isWhole = ['', ' pass'].some((rest) => parseModule(statement + rest).errors.length === 0);
  for (const closing of ['', ')', '))', ' pass']) {
    const source = script('quoted.py', `${IMPORTS}${statement}${closing}\n`);
    const { findings } = judged(source, { cell: 0, line: IMPORTS.split('\n').length }, known, false);
    // The following lines may contain what is missing here.
    const sure = isWhole ? findings : findings.filter(({ code }) => !ON_ARGUMENTS_LEFT_OUT.has(code));
    if (sure.length > 0) return { findings: sure };
  }
  return isWhole ? { findings: [] } : undefined;
}

/** Rules that report a call because of a missing argument. */
const ON_ARGUMENTS_LEFT_OUT: ReadonlySet<string> = new Set([torchLoadMapLocation.code, torchLoadWeightsOnly.code]);

/** A selection of GPUs that comes too late does not fail itself; if anything fails, it is the code that uses them. */
const FELT_ELSEWHERE: ReadonlySet<string> = new Set([cudaVisibleDevicesTooLate.code]);

/** Findings at the choice of a device, which fails where its name is used. */
const CHOOSES_DEVICE: ReadonlySet<string> = new Set([hardcodedDeviceIndex.code, unguardedCuda.code]);

const IMPORTS = [
  'import os, joblib, pickle',
  'import numpy as np',
  'import torch',
  'import tensorflow as tf',
  'import keras',
  'import lightning.pytorch as pl',
  'from torch import nn',
  'from tensorflow.keras.models import load_model',
  'from transformers import AutoModel, AutoModelForCausalLM',
  '',
].join('\n');

function judged(source: Source, { cell, line }: Line, known: Knowledge | undefined, isAtHand: boolean): JudgedLine {
  const program = parseProgram(source);
  const { text } = program;
  const start = program.offsetOf({ cell, line: line - 1, character: 0 });
  const end = program.offsetOf({ cell, line: line - 1, character: Number.MAX_SAFE_INTEGER });
  const isHere = ({ span }: Finding) => span.start <= end && span.end >= start;
  const failing = text.slice(start, end);
  const isUsedHere = ({ code, span }: Finding) => {
    const [, name] = CHOOSES_DEVICE.has(code) ? (/^(\w+) ?=(?!=)/.exec(lineAt(text, span.start)) ?? []) : [];
    return name !== undefined && new RegExp(`\\b${name}\\b`).test(failing);
  };
  const findings = checkProgram(program, rules, { known }).filter(
    (each) => isHere(each) || FELT_ELSEWHERE.has(each.code) || isUsedHere(each),
  );
  const fixesOf = (finding: Finding): LineFix[] =>
    finding.fixes().map(({ title, edits }) => ({
      title,
      line: FELT_ELSEWHERE.has(finding.code)
        ? lineAt(text, finding.span.start)
        : lineAfter(text, isHere(finding) ? start : text.lastIndexOf('\n', finding.span.start - 1) + 1, edits),
      ...(isAtHand && {
        edit: {
          filename: source.path,
          edits: edits.map(({ span, newText }) => ({ ...reportRangeOf(program, span), content: newText })),
        },
      }),
    }));
  return {
    findings: findings.map((finding) => ({ code: finding.code, message: finding.message, fixes: fixesOf(finding) })),
  };
}

function lineAt(text: string, offset: number): string {
  const [line = ''] = text.slice(text.lastIndexOf('\n', offset - 1) + 1).split('\n', 1);
  return line.trim();
}

/** The line at an offset after its fix. */
function lineAfter(text: string, start: number, edits: readonly Edit[]): string {
  const moved = edits
    .filter(({ span, newText }) => span.end < start || (span.end === start && newText.endsWith('\n')))
    .reduce((sum, { span, newText }) => sum + newText.length - (span.end - span.start), 0);
  const after = edits.reduceRight(
    (so, { span, newText }) => so.slice(0, span.start) + newText + so.slice(span.end),
    text,
  );
  return (
    after
      .slice(start + moved)
      .split('\n', 1)[0]
      ?.trim() ?? ''
  );
}
