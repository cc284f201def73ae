/** What a coding agent can ask for: each tool is a command of this command line, with its arguments. */
import * as z from 'zod';
import { FORMS } from '../provision/environmentPlan.ts';

/** How a tool's arguments become a command's. */
export interface Call {
  readonly args: readonly string[];
  /** What the command reads from standard input. */
  readonly input?: string;
}

export interface Tool<Input extends z.ZodObject = z.ZodObject> {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly input: Input;
  /** The files and folders that it reads. */
  paths?(given: z.infer<Input>): readonly string[];
  call(given: z.infer<Input>): Call;
}

/** For the types alone: what a tool is called with is what its input describes. */
function tool<Input extends z.ZodObject>(each: Tool<Input>): Tool {
  return each;
}

const text = (description: string) => z.string().describe(description);

/** Behind it, nothing is an option. */
const END_OF_OPTIONS = '--';

export const TOOLS: readonly Tool[] = [
  tool({
    name: 'explain_error',
    title: 'Explain an error',
    description:
      'Says why a program of PyTorch, TensorFlow, Keras, JAX, ONNX Runtime or a package around them failed: the likeliest cause, what on this machine confirms it or rules it out, and what to do. Give the traceback or the log as it was printed.',
    input: z.object({
      text: text('The traceback, the log, or the output of a compiler or of pip, whole'),
      otherMachine: z
        .boolean()
        .describe('True where it failed on another machine, whose facts are at most in the text')
        .optional(),
    }),
    call: ({ text: input, otherMachine = false }) => ({
      args: ['explain', '--format', 'markdown', ...(otherMachine ? ['--no-probe'] : [])],
      input,
    }),
  }),
  tool({
    name: 'read_gpu_stack',
    title: 'Read the GPU stack',
    description:
      'Reads the GPUs, driver, CUDA, cuDNN and frameworks of this machine, says what does not fit together, and how to mend it. No framework is imported.',
    input: z.object({
      python: text('The Python in question, where it is not the one in use: a program or an environment').optional(),
    }),
    call: ({ python }) => ({
      args: ['stack', '--no-probe', ...(python === undefined ? [] : [`--python=${python}`])],
    }),
  }),
  tool({
    name: 'judge_report',
    title: 'Judge what was told of a machine',
    description:
      'Judges the GPU stack of another machine by what its user has posted: output of collect_env, nvidia-smi, pip list, conda list and the like.',
    input: z.object({ report: text('The output, as it was printed') }),
    call: ({ report }) => ({ args: ['stack', '--from', '-'], input: report }),
  }),
  tool({
    name: 'check_code',
    title: 'Check code for devices that may be missing',
    description:
      'Judges Python files, notebooks and environment files (requirements.txt, pyproject.toml, environment.yml, Dockerfile and so on): models loaded or moved to a device that may not be there, packages and builds that do not fit each other.',
    input: z.object({
      paths: z.array(z.string()).min(1).describe('Files and folders'),
      hints: z.boolean().describe('Report hints, too').optional(),
    }),
    paths: ({ paths }) => paths,
    call: ({ paths, hints = false }) => ({
      args: ['check', '--no-cache', ...(hints ? ['--hints'] : []), END_OF_OPTIONS, ...paths],
    }),
  }),
  tool({
    name: 'inspect_checkpoint',
    title: 'Look into a checkpoint',
    description:
      'Shows what is inside a checkpoint (PyTorch, safetensors, Keras, TensorFlow, GGUF, ONNX and others) without running anything of it: tensors, the devices that it remembers, whether loading it runs code, and whether it loads here.',
    // An address would be fetched, which is for the user to ask for.
    input: z.object({ path: text('A file or a folder').regex(/^(?!https?:)/i) }),
    paths: ({ path }) => [path],
    call: ({ path }) => ({ args: ['inspect', END_OF_OPTIONS, path] }),
  }),
  tool({
    name: 'plan_environment',
    title: 'Plan an environment that works',
    description:
      'Answers with the exact commands, or the file, for an environment whose builds work with the GPU and the driver of this machine. Nothing is installed.',
    input: z.object({
      requirements: z
        .array(z.string())
        .describe("What pip takes, such as torch==2.6; without any, the project's own files say")
        .optional(),
      form: z.enum(FORMS).describe('What the plan is for; what the project uses already, without it').optional(),
    }),
    call: ({ requirements = [], form }) => ({
      args: ['plan', ...(form === undefined ? [] : ['--for', form]), END_OF_OPTIONS, ...requirements],
    }),
  }),
];
