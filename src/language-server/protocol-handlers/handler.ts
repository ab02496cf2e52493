/** One feature of the Language Server Protocol: what the server says it can do, and what answers it. */
import type { InitializeParams, ServerCapabilities } from "vscode-languageserver";
import type { Session } from "./session.ts";

export interface ProtocolHandler {
  /** For the answer to `initialize`, from what came with it; no two handlers say anything of the same. */
  readonly capabilities?: (params: InitializeParams) => ServerCapabilities;
  /** Called once, before the connection listens. */
  readonly register: (session: Session) => void;
}
