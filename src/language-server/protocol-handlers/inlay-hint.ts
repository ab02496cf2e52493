/** textDocument/inlayHint. */
import { inlayHints } from "../features/inlay-hints.ts";
import { linesOf } from "../text-lines.ts";
import type { ProtocolHandler } from "./handler.ts";

export const inlayHintHandler: ProtocolHandler = {
  capabilities: () => ({ inlayHintProvider: true }),
  register: (session) => {
    session.connection.languages.inlayHint.on((params, token) =>
      session.answerInFile("inlayHint", params, token, [], ({ analysis, prediction, file }) => {
        const { start, end } = params.range;
        const lines = linesOf(file.manifest);
        return inlayHints(analysis, prediction, file, session.wantsHint)
          .map(({ offset, label, tooltip }) => ({
            position: lines.positionAt(offset),
            label,
            tooltip,
            paddingLeft: true,
          }))
          .filter(({ position: { line } }) => line >= start.line && line <= end.line);
      }),
    );
  },
};
