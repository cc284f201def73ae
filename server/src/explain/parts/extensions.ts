import { packagesWith } from '../../published/knownPackages.ts';
import { firstCudaOfChannel } from '../../published/releases/cudaDriver.ts';
import { firstTorchWith, isRelease, torchHas, torchReleases } from '../../published/releases/torchReleases.ts';
import { computedOnce } from '../../published/remembering.ts';
import { compareVersions } from '../../published/versions.ts';
import { knownValue, type StackFacts } from '../../stack/facts/facts.ts';
import { packageVersion } from '../../stack/facts/installed.ts';
import { visibleGpus } from '../../stack/facts/usableGpus.ts';

type Parts = Readonly<Record<string, string>>;

/** A package that is compiled against torch. */
interface Extension {
  /** Matches the names of its compiled modules. */
  readonly native: RegExp;
  /** The module that Python imports. */
  readonly imported: string;
  /** The source from which pip builds the package, with the required extra. */
  readonly distribution: string;
  /** Set if the package is not on PyPI. */
  readonly repository?: string;
  /** True if it requires a specific torch. */
  readonly bringsTorch: boolean;
}

const extensions = computedOnce((): readonly Extension[] =>
  packagesWith('native').map(({ name, file }) => ({
    native: new RegExp(`^(?:${(file.native ?? []).map((each) => each.replace(/\*$/, '.*')).join('|')})$`),
    imported: file.imports?.[0] ?? name.replaceAll('-', '_'),
    distribution: file.extra === undefined ? name : `${name}[${file.extra}]`,
    ...(file.repository !== undefined && { repository: file.repository }),
    bringsTorch: file.brings_torch === true,
  })),
);

/** A line printed by the loader. */
const LOADED =
  /(?:(?<folder>\/[\w./+-]{1,300})\/)?(?<file>[A-Za-z_]\w{1,60})(?:\.(?:cpython|abi3)[\w-]{0,40})?\.so(?=[.\d]{0,8}(?:: undefined|\)))/;

/**
 * `named` matches names in a line from pip or a traceback; `calling` matches code in a frame that calls the package's
 * own compiled part, or the package that is listed with it.
 */
const expressionsOfNames = computedOnce(() => {
  const names = extensions()
    .map(({ imported }) => imported)
    .join('|');
  return {
    named: new RegExp(
      String.raw`(?:(?:pip3? install|import|from|wheel for|Collecting) (?:[\w=-]{1,30} ){0,4}|pip-install-\w{8}/)(${names.replaceAll('_', '[_-]')})(?![a-z])`,
    ),
    calling: new RegExp(String.raw`\b(${names})(?:[\\/]|[-_]full\b)`),
  };
});

/**
 * Facts about the extension in a message: its `distribution` and the `imported` module; `sources`, from which pip
 * builds it, unless that is a folder of its author, and `builtIn`, empty with sources. `again` is the installed release
 * of one that requires a specific torch. `capabilities` of the GPUs; for torch `torchRelease`, its `abi` in the
 * notation of wheels, and `torchCuda`.
 */
export function extensionParts(
  { module, package: name, namespace }: Parts,
  text: string,
  facts: StackFacts | undefined,
): Parts {
  const { folder = '', file } = LOADED.exec(text)?.groups ?? {};
  const isInstalled = folder === '' || /(?:site|dist)-packages/.test(folder);
  const { named, calling } = expressionsOfNames();
  const found = [
    module,
    name?.replaceAll('-', '_'),
    namespace,
    file,
    named.exec(text)?.[1]?.replaceAll('-', '_'),
    calling.exec(text)?.[1],
  ]
    .flatMap((each) => extensions().find(({ native }) => each !== undefined && native.test(each)) ?? [])
    .at(0);
  return {
    ...(module !== undefined && { imported: module, distribution: module.replaceAll('_', '-') }),
    ...(found && { imported: found.imported, ...distributionOf(found, text, facts) }),
    ...(found && isInstalled && sourcesOf(found, text, facts)),
    ...machineParts(text, facts),
  };
}

/** Before version 2, the mmcv package that contains compiled parts was called mmcv-full. */
function distributionOf({ distribution }: Extension, text: string, facts: StackFacts | undefined): Parts {
  const isOld = distribution === 'mmcv' && /\bmmcv[_-]full|\bmmcv[ =-]{1,3}1\.|\bmmdet[ =-]{1,3}[12]\./.test(text);
  const called = isOld ? 'mmcv-full' : distribution;
  const version = versionOf(called, text, facts) ?? (isOld ? versionOf('mmcv', text, facts) : undefined);
  return {
    distribution: called,
    ...(distribution === 'mmcv' && { openmmlab: exactly(called, version) }),
  };
}

function sourcesOf(extension: Extension, text: string, facts: StackFacts | undefined): Parts {
  const { distribution = '' } = distributionOf(extension, text, facts);
  const release = exactly(distribution, versionOf(distribution, text, facts));
  return extension.bringsTorch ? { again: release } : { builtIn: '', sources: extension.repository ?? release };
}

function exactly(name: string, version: string | undefined): string {
  return version === undefined ? name : `${name}==${version}`;
}

/** The installed version, or else the version in the text's notation: "mmcv-full==1.4.0", "mmcv_full-1.7.0-cp38". */
function versionOf(name: string, text: string, facts: StackFacts | undefined): string | undefined {
  const installed = packageVersion(facts, name);
  const written = name.replace(/\[.*$/, '').replace('-', '[-_]');
  const said = new RegExp(`\\b${written}(?:==|[-= :]) ?v?(\\d{1,2}(?:\\.\\d{1,3}){1,2}(?:\\.?post\\d)?)`, 'i').exec(
    text,
  )?.[1];
  return (installed ?? said)?.split('+')[0];
}

/** Messages from the setup of flash-attn and similar packages, and of DeepSpeed, about the torch that they are built with. */
const PRINTED = /torch\.__version__ {1,3}= {1,3}\d[\d.]{2,8}\+cu(\d{2})(\d)|torch was compiled with (\d{1,2})\.(\d)/;

function machineParts(text: string, facts: StackFacts | undefined): Parts {
  const capabilities = facts ? visibleGpus(facts).flatMap(({ computeCapability }) => computeCapability ?? []) : [];
  const torch = facts && knownValue(facts.frameworks.torch);
  const [, major, minor] = PRINTED.exec(text)?.filter((each) => each !== undefined) ?? [];
  const cuda = torch?.cuda ?? (major && `${major}.${minor}`);
  const release = torch && isRelease(torch.version) ? torch.version.match(/^\d+\.\d+/)?.[0] : undefined;
  return {
    ...(capabilities.length > 0 && { capabilities: [...new Set(capabilities)].sort(compareVersions).join(';') }),
    ...(cuda && compareVersions(cuda, firstCudaOfChannel()) >= 0 && { torchCuda: cuda }),
    ...(release !== undefined && { torchRelease: release, ...(torch?.installer !== 'conda' && abiOf(release)) }),
  };
}

/** The last release before all wheels have the new ABI may have either one. */
function abiOf(release: string): Parts {
  const releases = torchReleases().map(({ torch }) => torch);
  const mixed = releases[releases.indexOf(firstTorchWith('cxx11_abi')) - 1];
  return release === mixed ? {} : { abi: torchHas('cxx11_abi', release) ? 'TRUE' : 'FALSE' };
}
