/**
 * What is no JSON, or no message, is answered as JSON-RPC has it: by an error that belongs to no request. The library drops such
 * messages, and lets nobody answer them but where it reads and writes JSON.
 */
import { ErrorCodes, Message, RAL } from "vscode-languageserver/node";
import { refusedRequest } from "./request-params.ts";

/** How the ids of the requests begin that are made of such messages; in an answer they become null. */
const idOfNone = "claimcheck/none/";

/** For the connections that are made from now on. */
export function answerUnreadableMessages(): void {
  const ral = RAL();
  const { encoder, decoder } = ral.applicationJson;
  let refusedCount = 0;
  const refused = (code: number, wrong: string): Message =>
    refusedRequest({ jsonrpc: "2.0", id: `${idOfNone}${refusedCount++}` }, { code, wrong });
  const encode: typeof encoder.encode = (message, options) =>
    encoder.encode(
      isForNone(message) ? Object.assign({ ...message }, { id: null }) : message,
      options,
    );
  const decode: typeof decoder.decode = async (bytes, options) => {
    try {
      const message = await decoder.decode(bytes, options);
      return isMessage(message)
        ? message
        : refused(ErrorCodes.InvalidRequest, "This is no message");
    } catch (error) {
      return refused(ErrorCodes.ParseError, error instanceof Error ? error.message : String(error));
    }
  };
  const applicationJson = { encoder: { ...encoder, encode }, decoder: { ...decoder, decode } };
  RAL.install({ ...ral, applicationJson });
}

function isForNone(message: Message): boolean {
  return Message.isResponse(message) && String(message.id).startsWith(idOfNone);
}

function isMessage(value: Message): boolean {
  return Message.isRequest(value) || Message.isNotification(value) || Message.isResponse(value);
}
