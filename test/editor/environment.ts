/** Returns the files of an environment with this version of torch. */
export function environment(name: string, version: string): Record<string, string> {
  const packages = `${name}/lib/python3.12/site-packages`;
  return {
    [`${name}/pyvenv.cfg`]: 'home = /usr/bin\nversion = 3.12.1\n',
    [`${name}/bin/python`]: '#!/bin/sh\nexit 1\n',
    [`${packages}/torch/version.py`]: `__version__ = '${version}'\ncuda = None\nhip = None\n`,
    [`${packages}/torch-${version}.dist-info/METADATA`]: `Name: torch\nVersion: ${version}\n`,
  };
}
