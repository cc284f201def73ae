/** The torch and the build that a compiled extension is for. */
export interface ExtensionTag {
  /** "2.1". */
  readonly torch?: string;
  /** torch's tag: "cu118", "cu12", "cpu". */
  readonly build?: string;
}

/** Reads a local tag or an address: "pt21cu118", "cu118torch2.1cxx11abiFALSE", "torch240cu121", "torch-2.1.0+cu118". */
export function extensionTag(text: string): ExtensionTag {
  const found =
    /(?:torch-?|pt)(\d)\.(\d{1,2})(?!\d)/.exec(text) ??
    // Without dots, only the long name includes the patch: "pt210cu128" and "torch2100cu128" are for 2.10.
    /pt(\d)(\d{1,2})(?=cu|cpu|$)/.exec(text) ??
    /torch(\d)(\d{1,2}?)0?(?=cu|cpu|$)/.exec(text);
  const plain = text.replace(/pt\d+|torch-?\d[\d.]*/, '+').replace(/(cu\d\d)\.(\d)/, '$1$2');
  const build = /(?:^|[^a-z])(cpu|cu\d{2,3})(?!\d)/.exec(plain)?.[1];
  return { ...(found !== null && { torch: `${found[1]}.${found[2]}` }), ...(build !== undefined && { build }) };
}
