/** One feature of the Language Server Protocol: its capability, and the requests that it answers. */
import type { InitializeParams, ServerCapabilities } from "vscode-languageserver";
import type { Session } from "./session.ts";

export interface ProtocolHandler {
  /** Merged into the answer to `initialize`; no two handlers may set the same field. */
  readonly capabilities?: (params: InitializeParams) => ServerCapabilities;
  /** Called once, before the connection listens. */
  readonly register: (session: Session) => void;
}
