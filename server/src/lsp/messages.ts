/** Handlers of messages beyond the Language Server Protocol, by the types that `protocol.ts` gives their methods. */
import { type CancellationToken, type Connection, LSPErrorCodes, ResponseError } from 'vscode-languageserver';
import type { NotificationType, RequestType } from '../protocol.ts';

/** Answers requests of a type. */
export function onRequest<Params, Answer>(
  connection: Connection,
  type: RequestType<Params, Answer>,
  answer: (params: Params, token: CancellationToken) => Answer | Promise<Answer>,
): void {
  // A request without parameters arrives with only its token.
  connection.onRequest<unknown, void>(type, async (...received: unknown[]) => {
    const [params] = received.length > 1 ? received : [];
    try {
      return await answer(params as Params, received.at(-1) as CancellationToken);
    } catch (error) {
      // The library would put the name of the request before the sentence that the user reads.
      if (error instanceof ResponseError || !(error instanceof Error)) throw error;
      connection.console.error(error.stack ?? error.message);
      throw new ResponseError(LSPErrorCodes.RequestFailed, error.message);
    }
  });
}

/** Handles notifications of a type. */
export function onNotification<Params>(
  connection: Connection,
  type: NotificationType<Params>,
  take: (params: Params) => void,
): void {
  connection.onNotification(type, take);
}
