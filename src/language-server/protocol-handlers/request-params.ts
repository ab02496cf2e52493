/** Checks the params of each request, so that malformed ones are refused before a handler reads them. */
import {
  type Connection,
  ErrorCodes,
  Message,
  type MessageStrategy,
  type RequestMessage,
  ResponseError,
} from "vscode-languageserver";
import {
  explainEventRequest,
  explainRequest,
  importClusterRequest,
  locateRequest,
  outcomeRequest,
  runScenarioFileRequest,
  saveScenarioRequest,
  scenarioRequest,
  unreadableRequest,
} from "../../protocol/messages.ts";

/**
 * Returns the path at which a value does not have the type, with the reason; undefined if it has. Checks only what handlers
 * rely on.
 */
type Shape = (value: unknown, path: string) => string | undefined;

const primitive =
  (type: "string" | "number" | "boolean"): Shape =>
  (value, path) =>
    typeof value === type ? undefined : `${path} is no ${type}`;

const string = primitive("string");

const fields =
  (shapes: Readonly<Record<string, Shape>>): Shape =>
  (value, path) => {
    if (typeof value !== "object" || value === null || Array.isArray(value))
      return `${path} is no object`;
    const given = new Map<string, unknown>(Object.entries(value));
    for (const [name, shape] of Object.entries(shapes)) {
      const wrong = shape(given.get(name), `${path}.${name}`);
      if (wrong !== undefined) return wrong;
    }
    return undefined;
  };

const listOf =
  (shape: Shape): Shape =>
  (value, path) => {
    if (!Array.isArray(value)) return `${path} is no list`;
    for (const [i, item] of value.entries()) {
      const wrong = shape(item, `${path}[${i}]`);
      if (wrong !== undefined) return wrong;
    }
    return undefined;
  };

/** Absent, or null, which some clients write. */
const optional =
  (shape: Shape): Shape =>
  (value, path) =>
    value === undefined || value === null ? undefined : shape(value, path);

const either =
  (one: Shape, other: Shape): Shape =>
  (value, path) =>
    one(value, path) === undefined ? undefined : other(value, path);

const anything: Shape = () => undefined;

const withUri = fields({ uri: string });
const position = fields({ line: primitive("number"), character: primitive("number") });
const inDocument = { textDocument: withUri };
const atPosition = { ...inDocument, position };
const inRange = { ...inDocument, range: fields({ start: position, end: position }) };

const shapes: ReadonlyMap<string, Shape> = new Map(
  Object.entries({
    initialize: fields({
      capabilities: fields({}),
      rootUri: optional(string),
      workspaceFolders: optional(listOf(withUri)),
    }),
    "textDocument/completion": fields(atPosition),
    "textDocument/declaration": fields(atPosition),
    "textDocument/definition": fields(atPosition),
    "textDocument/documentHighlight": fields(atPosition),
    "textDocument/hover": fields(atPosition),
    "textDocument/implementation": fields(atPosition),
    "textDocument/prepareCallHierarchy": fields(atPosition),
    "textDocument/prepareRename": fields(atPosition),
    "textDocument/typeDefinition": fields(atPosition),
    "textDocument/references": fields({ ...atPosition, context: fields({}) }),
    "textDocument/rename": fields({ ...atPosition, newName: string }),
    "textDocument/codeLens": fields(inDocument),
    "textDocument/diagnostic": fields(inDocument),
    "textDocument/documentLink": fields(inDocument),
    "textDocument/documentSymbol": fields(inDocument),
    "textDocument/foldingRange": fields(inDocument),
    "textDocument/inlayHint": fields(inRange),
    "textDocument/codeAction": fields({
      ...inRange,
      context: fields({ only: optional(listOf(string)) }),
    }),
    "textDocument/selectionRange": fields({ ...inDocument, positions: listOf(position) }),
    "completionItem/resolve": fields({ label: string }),
    "callHierarchy/incomingCalls": fields({ item: withUri }),
    "callHierarchy/outgoingCalls": fields({ item: withUri }),
    "workspace/diagnostic": fields({
      previousResultIds: listOf(fields({ uri: string, value: string })),
    }),
    "workspace/executeCommand": fields({ command: string, arguments: optional(listOf(anything)) }),
    "workspace/symbol": fields({ query: string }),
    [explainEventRequest]: fields({ text: string, uri: optional(string) }),
    [explainRequest]: either(
      fields({ environment: string, ref: string }),
      fields({ uri: string, position }),
    ),
    [importClusterRequest]: fields({ text: string, folder: string, file: string }),
    [locateRequest]: fields({ environment: string, ref: string, field: optional(string) }),
    [outcomeRequest]: fields({ environment: string }),
    [runScenarioFileRequest]: fields({ uri: string }),
    [saveScenarioRequest]: fields({ environment: string, steps: listOf(fields({})) }),
    [scenarioRequest]: fields({ environment: optional(string), uri: optional(string) }),
    [unreadableRequest]: fields({ environment: string }),
  }),
);

/** An internal method: a message strategy cannot answer a message itself, only pass on another one. */
const refuseRequest = "claimcheck/refuse";

interface Refusal {
  readonly code: number;
  readonly wrong: string;
}

/** Replaces the request that a client has sent, keeping its id. */
export function refusedRequest(
  sent: Pick<RequestMessage, "jsonrpc" | "id">,
  refusal: Refusal,
): RequestMessage {
  return { ...sent, method: refuseRequest, params: refusal };
}

/** To be set on the connection, together with `answerRefused`. */
export const refusingWrongParams: MessageStrategy = {
  handleMessage(message, next) {
    if (!Message.isRequest(message)) return next(message);
    const wrong = shapes.get(message.method)?.(message.params, "params");
    if (wrong === undefined) return next(message);
    return next(refusedRequest(message, { code: ErrorCodes.InvalidParams, wrong }));
  },
};

export function answerRefused(connection: Connection): void {
  connection.onRequest(refuseRequest, ({ code, wrong }: Partial<Refusal>) => {
    throw new ResponseError(code ?? ErrorCodes.InvalidParams, String(wrong));
  });
}
