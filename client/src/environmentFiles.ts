/** Globs of files that describe an environment, by name: which language an editor takes them for depends on its extensions. */
export const ENVIRONMENT_FILES = [
  '**/*{requirement,constraint}*.{txt,in}',
  '**/requirements/*.{txt,in}',
  '**/*{environment,conda,env}*.{yml,yaml}',
  '**/{pixi.toml,setup.cfg,Pipfile}',
  '**/*.{sh,bash}',
  '**/.github/workflows/*.{yml,yaml}',
  '**/*{Dockerfile,Containerfile,dockerfile,containerfile}*',
  '**/*compose*.{yml,yaml}',
  '**/{.devcontainer,devcontainer}.json',
];
