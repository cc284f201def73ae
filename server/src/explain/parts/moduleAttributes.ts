/** The releases that added attributes which a module from an older file lacks. From the wheels of torch and timm. */
const CAME_WITH = {
  torchBelow: {
    padding_mode: '1.1',
    proj_size: '1.8',
    label_smoothing: '1.10',
    recompute_scale_factor: '1.11',
    approximate: '1.12',
  },
  timmBelow: {
    gate: '0.4.12',
    drop_path1: '0.6',
    num_prefix_tokens: '0.6',
    fused_attn: '0.9',
    patch_drop: '0.9',
    q_norm: '0.9',
    strict_img_size: '0.9.5',
    dynamic_img_pad: '0.9.6',
    aa: '1.0.7',
  },
} as const;

/** For an `attribute` of a module: `torchBelow` or `timmBelow`, the release that added it. */
export function attributeParts({ attribute = '' }: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(CAME_WITH).flatMap(([part, since]) =>
      Object.entries(since).flatMap(([name, release]) => (name === attribute ? [[part, release]] : [])),
    ),
  );
}
