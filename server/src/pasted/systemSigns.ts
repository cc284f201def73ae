/**
 * Folders, files and prompts that identify the system of a text. Homebrew's and conda's folders under /opt and
 * /usr/local also exist on Macs, which have no /home and no /root.
 */
export const SYSTEM_SIGNS: Readonly<Record<'linux' | 'windows' | 'macos', RegExp>> = {
  linux:
    /(?:^|[\s"'(=:])\/(?:(?:home|root|mnt)\/|(?:usr|opt|data|workspace|kaggle|content)\/(?!homebrew|(?:local\/)?(?:(?:ana|mini)conda3|miniforge3|Cellar|Caskroom|opt\/)))[\w.-]+|\blib\w+\.so\b|-linux-gnu\.so\b|\blinux-(?:64|x86_64|aarch64)\b|linux(?:\d[\d_]*)?_(?:x86_64|aarch64)\.whl\b|^(?:FROM|docker:) \S|\bnvidia\/cuda(?:gl)?:\S+-(?:ubuntu|rockylinux|ubi|centos)|^[ \t]*(?:\([\w.-]+\) ?)?[\w.-]+@[\w.-]+:[~/][\w./~-]*[$#](?:\s|$)/m,
  windows:
    /\b[A-Za-z]:\\{1,2}[\w.-]+|^(?:\([\w.-]+\) )?(?:PS )?[A-Za-z]:\\[^>\n]{0,120}>|\bcu(?:dart|blas)64_\d+\.dll|\bWindowsPath\(/m,
  macos: /(?<![\w:./~-])\/(?:Users|opt\/homebrew|Applications)\/[\w.-]+/m,
};
