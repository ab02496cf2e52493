/** textDocument/hover. */
import type { Settings } from "../../protocol/messages.ts";
import { hover } from "../features/hover.ts";
import type { ProtocolHandler } from "./handler.ts";
import { rangeIn } from "./to-lsp.ts";

export const hoverHandler: ProtocolHandler = {
  capabilities: () => ({ hoverProvider: true }),
  register: (session) => {
    session.connection.onHover((params, token) =>
      session.answerAt("hover", params, token, null, (place) => {
        const { analysis, lastPrediction, file, offset } = place;
        const given: unknown = session.params?.initializationOptions;
        const commandLinks = (given as Partial<Settings> | undefined)?.commandLinks === true;
        const found = hover(analysis, lastPrediction, file, offset, { commandLinks });
        if (found === undefined) return null;
        return {
          contents: { kind: "markdown", value: found.text },
          range: rangeIn(file, found.span),
        };
      }),
    );
  },
};
