/** Checks of the parameters of messages before they are handled. */
import { type Connection, ErrorCodes, Message, type MessageStrategy, ResponseError } from 'vscode-languageserver';
import { isJsonObject, type JsonObject } from '../jsonObject.ts';
import * as protocol from '../protocol.ts';

/** Returns a problem with parameters as a clause that follows their method; undefined if there is none. */
type Check = (params: unknown) => string | undefined;

const isText = (value: unknown): value is string => typeof value === 'string';
const isCount = (value: unknown) => Number.isInteger(value) && Number(value) >= 0;
const isPosition = (value: unknown) => isJsonObject(value) && isCount(value.line) && isCount(value.character);
const isRange = (value: unknown) => isJsonObject(value) && isPosition(value.start) && isPosition(value.end);
const isDocument = (value: unknown) => isJsonObject(value) && isText(value.uri);
const isListOf = (isItem: (value: unknown) => boolean) => (value: unknown) =>
  Array.isArray(value) && value.every(isItem);
const isOpenedText = (value: unknown) => isDocument(value) && isText((value as JsonObject).text);
const isOptional = (isValue: (value: unknown) => boolean) => (value: unknown) => value === undefined || isValue(value);

/** Requires each field and tests its value. */
const fields =
  (tests: Readonly<Record<string, (value: unknown) => boolean>>): Check =>
  (params) => {
    if (!isJsonObject(params)) return 'must be an object';
    const wrong = Object.entries(tests).find(([name, test]) => !test(params[name]));
    return wrong && `has an invalid \`${wrong[0]}\``;
  };
/** A single string is sent as the only item of a list. */
const text: Check = (params) => {
  const isOne = isText(params) || (Array.isArray(params) && params.length === 1 && isText(params[0]));
  return isOne ? undefined : 'takes a text';
};

const CHECKS: Readonly<Record<string, Check>> = {
  'textDocument/didOpen': fields({ textDocument: isOpenedText }),
  'textDocument/didChange': fields({ textDocument: isDocument, contentChanges: isListOf(isJsonObject) }),
  'textDocument/didClose': fields({ textDocument: isDocument }),
  'textDocument/didSave': fields({ textDocument: isDocument }),
  'textDocument/diagnostic': fields({ textDocument: isDocument, previousResultId: isOptional(isText) }),
  'textDocument/hover': fields({ textDocument: isDocument, position: isPosition }),
  'textDocument/codeAction': fields({
    textDocument: isDocument,
    range: isRange,
    context: (value) =>
      isJsonObject(value) && isOptional(isListOf(isText))(value.only) && isListOf(isJsonObject)(value.diagnostics),
  }),
  'codeAction/resolve': fields({ title: isText }),
  'notebookDocument/didOpen': fields({
    notebookDocument: (value) => isDocument(value) && isListOf(isJsonObject)((value as JsonObject).cells),
    cellTextDocuments: isListOf(isOpenedText),
  }),
  'notebookDocument/didChange': fields({ notebookDocument: isDocument, change: isJsonObject }),
  'notebookDocument/didClose': fields({ notebookDocument: isDocument }),
  'notebookDocument/didSave': fields({ notebookDocument: isDocument }),
  'workspace/diagnostic': fields({
    previousResultIds: isListOf((value) => isJsonObject(value) && isText(value.uri) && isText(value.value)),
  }),
  'workspace/executeCommand': fields({ command: isText }),
  'workspace/didChangeConfiguration': fields({}),
  'workspace/didChangeWatchedFiles': fields({ changes: isListOf(isDocument) }),
  'workspace/didChangeWorkspaceFolders': fields({
    event: (value) => isJsonObject(value) && isListOf(isDocument)(value.added) && isListOf(isDocument)(value.removed),
  }),
  [protocol.WATCH_STACK]: fields({ folders: isListOf(isText) }),
  [protocol.WATCH_LOAD]: fields({ watched: (value) => typeof value === 'boolean' }),
  [protocol.PAGE]: text,
  [protocol.RECORD_STACK]: fields({ text: isOptional(isText) }),
  [protocol.PLAN_ENVIRONMENT]: fields({ folder: isOptional(isText), requirements: isOptional(isText) }),
  [protocol.SMOKE_TEST]: fields({}),
  [protocol.READ_CHECKPOINT]: text,
  [protocol.JUDGE_CHECKPOINT]: fields({ format: isText, weights: isJsonObject }),
  [protocol.EXPLAIN]: explainRequest,
  [protocol.APPLY_REMEDY]: fields({ error: (value) => explainRequest(value) === undefined, remedy: isText }),
  [protocol.REPORT_FAILURE]: fields({ id: isText, failure: (value) => value === null || isJsonObject(value) }),
  [protocol.FIND_ERRORS]: text,
  [protocol.ERROR_LINE]: text,
  [protocol.CALL_TOOL]: fields({ tool: isText, input: isJsonObject }),
};

function explainRequest(params: unknown): string | undefined {
  if (!isJsonObject(params)) return 'must be an object';
  return isText(params.text) || isText(params.failure) ? undefined : 'requires a `text` or a `failure`';
}

/**
 * Rejects requests before `initialize`, after `shutdown`, and with parameters that their method does not accept, with
 * the protocol's error. Drops such notifications, because notifications have no answer.
 */
export function refuseBadMessages(): MessageStrategy {
  let phase: Phase = 'new';
  return {
    handleMessage(message, next) {
      if (!('method' in message)) return next(message);
      const called = message as Called;
      const refused = refusalIn(called, phase);
      if (called.method === 'initialize') phase = phase === 'new' ? 'open' : phase;
      if (called.method === 'shutdown' && !refused) phase = 'ended';
      if (refused === undefined) return next(message);
      if (Message.isNotification(message)) return undefined;
      return next({ ...message, method: REFUSE, params: refused } as Message);
    },
  };
}

type Phase = 'new' | 'open' | 'ended';

interface Refused {
  readonly code: number;
  readonly sentence: string;
}

function refusalIn(called: Called, phase: Phase): Refused | undefined {
  const { method } = called;
  if (method === 'exit') return undefined;
  if (phase === 'new' && method !== 'initialize')
    return { code: ErrorCodes.ServerNotInitialized, sentence: `${method} was sent before initialize.` };
  if (phase === 'open' && method === 'initialize')
    return { code: ErrorCodes.InvalidRequest, sentence: 'initialize was sent twice.' };
  if (phase === 'ended') return { code: ErrorCodes.InvalidRequest, sentence: `${method} was sent after shutdown.` };
  const sentence = wrongIn(called);
  return sentence === undefined ? undefined : { code: ErrorCodes.InvalidParams, sentence };
}

interface Called {
  readonly method: string;
  readonly params?: unknown;
}

function wrongIn({ method, params }: Called): string | undefined {
  const clause = CHECKS[method]?.(params);
  return clause && `${method} ${clause}.`;
}

/** The method that replaces the one of a rejected request. */
const REFUSE = 'gpuDoctor/refuse';

/** Answers rejected requests. */
export function answerRefused(connection: Connection): void {
  connection.onRequest(REFUSE, ({ code, sentence }: Refused) => {
    throw new ResponseError(code, sentence);
  });
}
