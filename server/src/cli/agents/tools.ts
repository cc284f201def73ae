/**
 * The tools for coding agents as data: names, descriptions and arguments. The MCP server, the extension's manifest and
 * the answers are based on this list.
 */
import * as z from 'zod';
import { FORMS } from '../../provision/environmentPlan.ts';

interface ToolDeclaration<Input extends z.ZodObject = z.ZodObject> {
  readonly title: string;
  readonly description: string;
  readonly input: Input;
}

const text = (description: string) => z.string().describe(description);
const list = (description: string) => z.array(z.string()).min(1).max(200).describe(description);
const flag = (description: string) => z.boolean().describe(description).optional();

/** The arguments of a tool, and the page of a long answer. Unknown arguments are rejected with the known ones. */
function argumentsOf<Shape extends z.ZodRawShape>(shape: Shape) {
  const whole = { ...shape, page: z.int().min(1).describe('The page of a long answer; 1 if absent').optional() };
  const known = Object.keys(whole).join(', ');
  return z.strictObject(whole, {
    error: ({ code, keys }) =>
      code === 'unrecognized_keys'
        ? `unknown: ${(keys as string[]).join(', ')}; the arguments are ${known}`
        : undefined,
  });
}

const python = text('The Python to read, if not the current one: a program or the folder of an environment').optional();

/** Describes the server as a whole to agents. */
export const INSTRUCTIONS = [
  'GPU Doctor knows why PyTorch, TensorFlow, Keras and JAX programs fail on GPUs, and which code, checkpoint or environment causes it.',
  'For an error, call explain_error with the whole traceback first.',
  'For code, call check_code with edits: true: it returns the safe fixes as one unified diff for `git apply`; apply it, then call check_code again.',
  'Ask show_rule about a code such as GPU101 before you suppress it.',
  'Before you change versions of packages, call read_gpu_stack or plan_environment: they know this machine.',
  'The tools only read: they write no file, install nothing, and execute neither checkpoints nor the code of the project.',
  'Paths are relative to the folder of the project, and paths outside it are rejected.',
].join('\n');

export const TOOLS = {
  explain_error: {
    title: 'Explain an error',
    description:
      'Explains why a program that uses PyTorch, TensorFlow, Keras, JAX, ONNX Runtime or related packages failed: the likeliest cause, the facts about this machine that confirm or exclude it, and what to do. Pass the traceback or log as it was printed.',
    input: argumentsOf({
      text: text('The whole traceback, log, or output of a compiler or of pip'),
      otherMachine: flag(
        'True if the program failed on another machine: only the facts in the text are used, not those about this machine',
      ),
      answers: z
        .record(z.string(), z.boolean())
        .describe('What you found out about possible causes, by their ids: true if a cause applies, false if not')
        .optional(),
      python,
    }),
  },
  read_gpu_stack: {
    title: 'Read the GPU stack',
    description:
      'Reads the GPUs, driver, CUDA, cuDNN and frameworks of this machine, and reports conflicts among them with remedies. Starts no Python and imports no framework.',
    input: argumentsOf({ python }),
  },
  judge_report: {
    title: 'Diagnose the report from another machine',
    description:
      'Diagnoses the GPU stack of another machine from what its user posted: output of collect_env, nvidia-smi, pip list, conda list and similar programs. Explains the error in the post, too.',
    input: argumentsOf({ text: text('The output, as it was printed') }),
  },
  check_code: {
    title: 'Check code for GPU problems',
    description:
      'Reports code that loads or moves models to a device that may be missing, and packages or builds that are incompatible with each other, in Python files, notebooks and environment files (requirements.txt, pyproject.toml, environment.yml, Dockerfile). With edits, also returns the safe fixes as a unified diff for `git apply`. Pass either paths or text.',
    input: argumentsOf({
      paths: list('Files and folders to check').optional(),
      text: text('Source code to check instead of files').optional(),
      filename: text(
        'The name of the text, which decides its kind: train.py, requirements.txt (default: a Python file)',
      ).optional(),
      edits: flag('Also return the safe fixes as a unified diff'),
      hints: flag('Also report hints: technically correct, but rarely worth a change'),
    }),
  },
  show_rule: {
    title: 'Show a rule',
    description:
      "Returns a rule's page: why it matters, what it does and does not report, how to fix it, how to suppress it. Without a rule, lists all rules.",
    input: argumentsOf({
      rule: text('The code or name of a rule, such as GPU101 or torch-load-map-location').optional(),
    }),
  },
  inspect_checkpoint: {
    title: 'Inspect a checkpoint',
    description:
      'Shows what is inside a checkpoint (PyTorch, safetensors, Keras, TensorFlow, GGUF, ONNX and others) without executing anything in it: tensors, the devices they were saved on, whether loading the file runs code, and whether it loads here.',
    input: argumentsOf({
      // A URL would be downloaded, which only the user may request.
      path: text('A file or a folder').regex(/^(?!https?:)/i),
      filter: text('Only tensors that match each of these terms in their name, type, shape or device').optional(),
    }),
  },
  plan_environment: {
    title: 'Plan an environment',
    description:
      'Returns the exact commands, or a file, for an environment whose builds work with the GPU and driver of this machine, or of a recorded one (from). With check, instead reports whether the current environment already meets the requirements. Installs nothing.',
    input: argumentsOf({
      requirements: z
        .array(z.string())
        .max(100)
        .describe("Requirements in pip's syntax, such as torch==2.6; by default, those in the project's own files")
        .optional(),
      for: z.enum(FORMS).describe('The form of the plan; by default, what the project uses').optional(),
      from: text('Plan for the machine described by a gpu-stack.yaml file or by a GPU stack saved as JSON').optional(),
      check: flag('Check the current environment instead of planning one'),
      python,
    }),
  },
} as const satisfies Readonly<Record<string, ToolDeclaration>>;

export type ToolName = keyof typeof TOOLS;

export type InputOf<Name extends ToolName> = z.infer<(typeof TOOLS)[Name]['input']>;

/** Returns the JSON schema of a tool's input. */
export function inputSchemaOf(name: ToolName): object {
  const { $schema: _, additionalProperties: __, ...schema } = z.toJSONSchema(TOOLS[name].input, { target: 'draft-7' });
  return schema;
}
