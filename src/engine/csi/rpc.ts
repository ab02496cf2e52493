/** Answers of a CSI driver: a response, or a refusal with a gRPC code. */
import type { CallResult } from "../runtime/effects.ts";
import { grpcCodes } from "./grpc-codes.ts";

export type Response = Readonly<Record<string, unknown>>;

export interface Refusal {
  readonly refused: true;
  /** gRPC code by name, as in Go: `ResourceExhausted`. */
  readonly code: string;
  readonly message: string;
}

export type Reply = Response | Refusal;

export function refuse(code: string, message: string): Refusal {
  return { refused: true, code, message };
}

export function isRefusal(value: unknown): value is Refusal {
  return typeof value === "object" && value !== null && (value as Refusal).refused === true;
}

export function isMissing(what: string): Refusal {
  return refuse("InvalidArgument", `${what} is missing`);
}

export function unimplemented(call: string): Refusal {
  return refuse("Unimplemented", `method ${call} not implemented`);
}

export function toResult(reply: Reply): CallResult {
  if (isRefusal(reply)) return { code: reply.code, message: reply.message, response: {} };
  return { code: "OK", message: "", response: reply };
}

/** A failed call as Go prints it, the form that events and statuses have. */
export function errorText(result: CallResult): string {
  return `rpc error: code = ${result.code} desc = ${result.message}`;
}

/**
 * True if the driver has certainly stopped working on the call; otherwise the call may still take effect.
 * Upstream: the same list in external-provisioner checkError, external-attacher isFinalError, pkg/volume/csi IsFinalError.
 */
export function isFinalCode(code: string): boolean {
  return !nonFinalCodes.has(code);
}

const nonFinalCodes: ReadonlySet<string> = new Set([
  "Canceled",
  "DeadlineExceeded",
  "Unavailable",
  "ResourceExhausted",
  "Aborted",
]);

const codesBySpelling: ReadonlyMap<string, string> = new Map(
  grpcCodes.map((code) => [code.toLowerCase(), code]),
);

/** A gRPC code as Go spells it, from any common spelling: `RESOURCE_EXHAUSTED`, `Cancelled`. */
export function codeNamed(spelling: string): string {
  const plain = spelling.replaceAll("_", "").toLowerCase().replace("cancelled", "canceled");
  return codesBySpelling.get(plain) ?? spelling;
}

/** The number of a gRPC code; a name that gRPC does not know counts as Unknown. */
export function codeNumber(name: string): number {
  const number = grpcCodes.indexOf(name);
  return number < 0 ? grpcCodes.indexOf("Unknown") : number;
}
