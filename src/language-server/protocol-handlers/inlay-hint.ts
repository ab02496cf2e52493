/** textDocument/inlayHint. */
import { inlayHints } from "../features/inlay-hints.ts";
import { linesOf } from "../text-lines.ts";
import type { ProtocolHandler } from "./handler.ts";

export const inlayHintHandler: ProtocolHandler = {
  capabilities: () => ({ inlayHintProvider: true }),
  register: (session) => {
    session.connection.languages.inlayHint.on((params, token) =>
      session.answerInFile("inlayHint", params, token, [], ({ analysis, prediction, file }) => {
        const lines = linesOf(file.manifest);
        const shown = {
          start: lines.offsetAt(params.range.start),
          end: lines.offsetAt(params.range.end),
        };
        const hints = inlayHints(analysis, prediction, file, shown, session.settings.wantsHint);
        return hints.map(({ offset, label, tooltip }, index) => {
          // Some editors draw the padding of all hints at a position before the first of them.
          const follows = hints[index - 1]?.offset === offset;
          const shown = follows ? { label: ` ${label}` } : { label, paddingLeft: true };
          return { position: lines.positionAt(offset), tooltip, ...shown };
        });
      }),
    );
  },
};
