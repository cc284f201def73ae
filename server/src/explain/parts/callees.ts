import { distributionOf } from '../../published/knownPackages.ts';

type Parts = Readonly<Record<string, string>>;

/** Packages whose functions and classes reject an argument, by names that no other package has. */
const CALLEES: readonly (readonly [names: RegExp, distribution: string])[] = [
  [/^(?:Accelerator|dispatch_model|load_checkpoint_(?:and_dispatch|in_model)|init_empty_weights)\b/, 'accelerate'],
  [/^(?:SFT|DPO|GRPO|PPO|KTO|ORPO|Reward)(?:Trainer|Config)\b/, 'trl'],
  [/^(?:Seq2Seq)?Train(?:er|ingArguments)\b|^PeftAdapterMixin\b|^PreTrained\w+/, 'transformers'],
  [/^(?:Lora(?:Config|Model)|PeftModel\w*|get_peft_model|prepare_model_for_kbit_training)\b/, 'peft'],
  [/^(?:UNet2D\w+|AutoencoderKL|StableDiffusion\w+|\w+DiscreteScheduler|DD[IP]MScheduler)\b/, 'diffusers'],
  [/^(?:hf_hub_download|snapshot_download|HfApi|HfFolder)\b/, 'huggingface-hub'],
];

/**
 * For the `function` that rejects an argument: `callee` is its distribution name, and `together` lists it and the
 * caller's, which belong together.
 */
export function calleeParts({ function: name = '', package: caller = '' }: Parts): Parts {
  const callee = CALLEES.find(([names]) => names.test(name))?.[1];
  const its = distributionOf(caller);
  if (callee === undefined || callee === its) return {};
  return { callee, together: callee, ...(its !== undefined && { togetherToo: its }) };
}
