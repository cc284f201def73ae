import { parseProgram } from '../guards/program.ts';
import { type Source, script } from '../python/semantic/source.ts';
import { check } from '../rules/engine/check.ts';
import type { Edit, Finding, Knowledge } from '../rules/engine/contract.ts';
import type { RemedyEdit } from './explanation.ts';

/** What the rules find in the line that failed. */
export interface JudgedLine {
  readonly findings: readonly LineFinding[];
}

export interface LineFinding {
  readonly code: string;
  readonly message: string;
  readonly fixes: readonly LineFix[];
}

export interface LineFix {
  readonly title: string;
  /** What the line becomes. */
  readonly line: string;
  /** Undefined for a line whose file is not at hand. */
  readonly edit?: RemedyEdit;
}

/** Judges the line of a file that is at hand; `line` counts from 1. */
export function judgeLine(file: string, text: string, line: number, known?: Knowledge): JudgedLine {
  return judged(script(file, text), line, known, true);
}

/**
 * Judges a line of which nothing else is known, as tracebacks print them: the frameworks are taken to be imported under
 * their usual names.
 */
export function judgeQuoted(code: string, known?: Knowledge): JudgedLine {
  // The rest of a call over several lines is not there.
  const statement = code.replace(/^(?:>>>|\.\.\.) ?/, '').replace(/^(?:return|await|yield)\s+/, '');
  for (const closing of ['', ')', '))', ' pass']) {
    const source = script('quoted.py', `${IMPORTS}${statement}${closing}\n`);
    const { findings } = judged(source, IMPORTS.split('\n').length, known, false);
    if (findings.length > 0) return { findings };
  }
  return { findings: [] };
}

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

function judged(source: Source, line: number, known: Knowledge | undefined, isAtHand: boolean): JudgedLine {
  const program = parseProgram(source);
  const { text } = program;
  const start = offsetOfLine(text, line);
  const end = offsetOfLine(text, line + 1);
  const findings = check(program, { known }).filter(({ span }) => span.start < end && span.end >= start);
  const fixesOf = (finding: Finding): LineFix[] =>
    finding.fixes().map(({ title, edits }) => ({
      title,
      line: applied(text, edits).slice(start).split('\n', 1)[0]?.trim() ?? '',
      ...(isAtHand && { edit: editOf(source.path, text, edits) }),
    }));
  return {
    findings: findings.map((finding) => ({ code: finding.code, message: finding.message, fixes: fixesOf(finding) })),
  };
}

function offsetOfLine(text: string, line: number): number {
  let at = 0;
  for (let n = 1; n < line; n++) {
    const next = text.indexOf('\n', at);
    if (next < 0) return text.length;
    at = next + 1;
  }
  return at;
}

function applied(text: string, edits: readonly Edit[]): string {
  return edits.reduceRight((so, { span, newText }) => so.slice(0, span.start) + newText + so.slice(span.end), text);
}

function editOf(filename: string, text: string, edits: readonly Edit[]): RemedyEdit {
  const placeOf = (offset: number) => {
    const before = text.slice(0, offset);
    const row = before.split('\n').length;
    return { row, column: [...before.slice(before.lastIndexOf('\n') + 1)].length + 1 };
  };
  return {
    filename,
    edits: edits.map(({ span, newText }) => ({
      location: placeOf(span.start),
      end_location: placeOf(span.end),
      content: newText,
    })),
  };
}
