import { documentationPage } from '../../documentation.ts';
import { escapeMarkdown } from '../../markdown.ts';
import { oneLine } from '../../printable.ts';
import type { RuntimeFramework } from '../../stack/facts/facts.ts';
import { type DeviceTrial, isGpu, type SmokeReport, type StepTrial } from './smoke.ts';
import type { SmokeTrouble } from './smokeTrouble.ts';

/** The parts that are not tested, which readers of "all work" must know. */
const NOT_COVERED =
  'Not covered: several GPUs working together, half precision, speed, temperature, and frameworks that are not installed.';

const TITLES: Record<RuntimeFramework, string> = {
  torch: 'PyTorch',
  tensorflow: 'TensorFlow',
  jax: 'JAX',
  onnxruntime: 'ONNX Runtime',
};

/** The result as a Markdown document, for the editor. */
export function smokeMarkdown({ summary, frameworks }: SmokeReport): string {
  const lines = ['# GPU smoke test', '', `**${escapeMarkdown(summary)}**`, ''];
  for (const { framework, version, devices, trouble } of frameworks) {
    lines.push(`## ${TITLES[framework]} ${escapeMarkdown(version)}`, '');
    if (devices.length > 0) lines.push('| device | step | result | time |', '|---|---|---|---|');
    for (const device of devices) {
      for (const step of device.steps) {
        const cells = [named(device), step.step, result(step), time(step)].map(escapeMarkdown);
        lines.push(`| ${cells.join(' | ')} |`);
      }
    }
    if (devices.length > 0) lines.push('');
    for (const each of troublesOf(devices, trouble)) {
      lines.push(`- ${sentences(each).map(escapeMarkdown).join(' ')}${link(each)}`, '');
    }
  }
  return [...lines, escapeMarkdown(NOT_COVERED), ''].join('\n');
}

/** The result as plain text without colors, for the terminal. */
export function smokeText({ summary, frameworks }: SmokeReport): string {
  const lines = [summary, ''];
  for (const { framework, version, devices, trouble } of frameworks) {
    lines.push(`${TITLES[framework]} ${oneLine(version)}`);
    for (const device of devices) {
      lines.push(`  ${oneLine(named(device))}`);
      for (const step of device.steps)
        lines.push(`    ${step.step.padEnd(16)}${time(step).padStart(10)}  ${result(step)}`);
    }
    for (const each of troublesOf(devices, trouble)) {
      for (const sentence of sentences(each)) lines.push(`  ${oneLine(sentence)}`);
      if (each.verdict !== null) lines.push(`  ${documentationPage('stack', each.verdict)}`);
    }
    lines.push('');
  }
  return [...lines, NOT_COVERED, ''].join('\n');
}

function troublesOf(devices: DeviceTrial[], trouble: SmokeTrouble | null): SmokeTrouble[] {
  const ofSteps = devices.flatMap(({ steps }) => steps.flatMap((step) => step.trouble ?? []));
  return trouble === null ? ofSteps : [...ofSteps, trouble];
}

/** The message, and its meaning. */
function sentences({ text, meaning }: SmokeTrouble): string[] {
  const said = `${text.charAt(0).toUpperCase()}${text.slice(1)}${/[.!?]$/.test(text) ? '' : '.'}`;
  return meaning === null ? [said] : [said, meaning];
}

function link({ verdict }: SmokeTrouble): string {
  return verdict === null ? '' : ` [What this means](${documentationPage('stack', verdict)})`;
}

function named(device: DeviceTrial): string {
  return isGpu(device) ? `${device.device}, ${device.name}` : 'CPU';
}

function result({ passed, deviation }: StepTrial): string {
  if (!passed) return 'failed';
  return deviation === 0 || deviation === null ? 'passed' : `passed, off by ${deviation.toExponential(0)}`;
}

function time({ seconds }: StepTrial): string {
  return seconds < 1 ? `${(seconds * 1000).toFixed(1)} ms` : `${seconds.toFixed(2)} s`;
}
