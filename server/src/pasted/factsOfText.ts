import { withOneLineTexts } from '../printable.ts';
import type { Fact, FrameworkRuntime, Interpreter, KnownFact, StackFacts } from '../stack/facts/facts.ts';
import { forEachRuntime, nothingYet } from '../stack/facts/nothingYet.ts';
import { jaxLacksCuda, printedSigns, tensorflowLooksForCuda } from './printedSigns.ts';
import { readProjectCommands } from './projectTool.ts';
import type { Report } from './report.ts';
import { first, notReported, notReportedBecause, reported } from './reportedFacts.ts';
import { boardOf, gpusOf, ofAmd, ofNvidia, variablesOf } from './reportedGpus.ts';
import { environmentOf, loadedCudnnOf, packagesOf, reportedFrameworks } from './reportedSoftware.ts';
import { reportsIn } from './reports.ts';
import { readReportedVariables } from './variables.ts';

/** Text of an issue template: comments, unchecked boxes and example answers. */
const BROUGHT =
  /<!--[\s\S]{0,4000}?-->|^[ \t>]*[-*] \[ \].*$|[ \t]*[([](?:e\.? ?g\b\.?|i\.e\.|for example|such as|for instance|if (?:compiling|applicable|the issue|you)|use command|as opposed)[^()[\]\n]*[)\]]/gim;

/**
 * Returns the machine that the program output in a pasted text describes: `collect_env`, `nvidia-smi`, `pip list` and
 * so on. Facts that the text lacks are unknown. Undefined for a text without any such output. The lines must be clean:
 * without quotation marks, colors and boxes.
 */
export function factsOfText(text: string): StackFacts | undefined {
  const short = withoutTemplate(text.replace(TOO_LONG, '$1'));
  const reports = reportsIn(short);
  return reports.length === 0 ? undefined : withOneLineTexts(factsOf(reports, short));
}

/** No report has lines of this length. */
const TOO_LONG = /^(.{1200}).+$/gm;

function factsOf(reports: readonly Report[], text: string): StackFacts {
  const shown = [
    ...reports,
    ...[readReportedVariables(text), readProjectCommands(text)].flatMap((each) => each ?? []),
    printedSigns(text),
  ];
  const all = shown.map(ofNvidia);
  const { version, frameworks: _, loadedCudnn: __, runtime: ___, ...rest } = nothingYet();
  const nothing = Object.fromEntries(Object.keys(rest).map((name) => [name, notReported()])) as typeof rest;
  const os = first(all, (report) => report.os);
  const environment = environmentOf(all, os?.value, jaxLacksCuda(text));
  const frameworks = reportedFrameworks(all, environment, tensorflowLooksForCuda(text));
  return {
    ...nothing,
    version,
    os: os ?? notReported(),
    wsl: first(all, ({ wsl }) => wsl) ?? notReported(),
    container: first(all, ({ container }) => container) ?? notReported(),
    board: boardOf(all) ?? notReported(),
    variables: variablesOf(all) ?? notReported(),
    gpus: gpusOf(all),
    otherAccelerators: first(shown, ofAmd) ?? notReported(),
    driver: first(all, ({ driver }) => driver) ?? notReported(),
    driverCuda:
      first(all, ({ driverCuda }) => driverCuda) ?? notReportedBecause(first(all, ({ noDriverCuda }) => noDriverCuda)),
    toolkits: first(all, ({ toolkit }) => toolkit && [{ ...toolkit, namedBy: 'the text' }]) ?? notReported(),
    interpreter: interpreterOf(all) ?? notReported(),
    projectTool: first(all, ({ projectTool }) => projectTool) ?? notReported(),
    frameworks,
    ...packagesOf(all, environment),
    loadedCudnn: loadedCudnnOf(
      frameworks,
      environment,
      first(all, ({ cudnn }) => cudnn),
    ),
    runtime: runtimeOf(all),
  };
}

/** Reported packages imply a Python, whose version may be unknown. */
function interpreterOf(reports: readonly Report[]): KnownFact<Interpreter> | undefined {
  const python = first(reports, (report) => report.python);
  const conda = first(reports, (report) => report.conda);
  const installed = first(reports, ({ builds, packages }) => builds?.torch ?? builds?.tensorflow ?? packages?.[0]);
  const from = python ?? conda ?? installed;
  if (from === undefined) return undefined;
  return {
    ...from,
    value: {
      path: 'python',
      version: python?.value ?? null,
      prefix: conda?.value.prefix ?? '',
      environment: conda === undefined ? 'other' : 'conda',
      architecture: null,
      chosenBy: from.source,
      sitePackages: [],
    },
  };
}

function runtimeOf(reports: readonly Report[]): StackFacts['runtime'] {
  return forEachRuntime<Fact<FrameworkRuntime | null>>((name) => {
    const said = reports.filter(({ runtime }) => runtime?.[name] !== undefined);
    const whole = said.find(({ runtime }) => runtime?.[name]?.available !== undefined);
    const merged = Object.assign({}, ...said.map(({ runtime }) => runtime?.[name])) as Partial<FrameworkRuntime>;
    if (whole === undefined || merged.available === undefined) return notReported();
    const {
      version = '',
      available,
      devices = [],
      architectures = null,
      cuda = null,
      cudnn = null,
      failure = null,
    } = merged;
    return reported(
      { version, available, devices, architectures, cuda, cudnn, cudnnPath: null, cudnnBuilt: null, failure },
      whole,
    );
  });
}

/** Returns a text without its template, so that an example is not mistaken for an answer. */
function withoutTemplate(text: string): string {
  return text.replace(BROUGHT, '');
}
