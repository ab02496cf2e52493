/**
 * Answers what is no JSON, or no message, with an error without a request id, as JSON-RPC demands. The library drops such
 * messages; its JSON decoder is the only place to answer them.
 */
import { ErrorCodes, Message, RAL } from "vscode-languageserver/node";
import { refusedRequest } from "./request-params.ts";

/** Prefix of the ids of requests that stand for such messages; their answers get the id null. */
const idOfNone = "claimcheck/none/";

/** Affects connections that are created afterwards. */
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
