/** textDocument/hover. */
import { hover } from "../features/hover.ts";
import type { ProtocolHandler } from "./handler.ts";
import { rangeIn } from "./to-lsp.ts";

export const hoverHandler: ProtocolHandler = {
  capabilities: () => ({ hoverProvider: true }),
  register: (session) => {
    session.connection.onHover((params, token) =>
      session.answerAt("hover", params, token, null, (place) => {
        const { analysis, lastPrediction, file, offset } = place;
        const options = { commandLinks: session.hasCommands };
        const found = hover(analysis, lastPrediction, file, offset, options);
        if (found === undefined) return null;
        return {
          contents: { kind: "markdown", value: found.text },
          range: rangeIn(file, found.span),
        };
      }),
    );
  },
};
