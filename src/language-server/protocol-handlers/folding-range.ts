/** textDocument/foldingRange. */
import { FoldingRangeKind } from "vscode-languageserver";
import { foldingRanges } from "../features/folding-ranges.ts";
import type { ProtocolHandler } from "./handler.ts";

export const foldingRangeHandler: ProtocolHandler = {
  capabilities: () => ({ foldingRangeProvider: true }),
  register: (session) => {
    session.connection.onFoldingRanges((params, token) =>
      session.answerInFile("foldingRange", params, token, [], ({ file }) =>
        foldingRanges(file).map(({ start, end, kind }) => ({
          startLine: start,
          endLine: end,
          ...(kind === "comment" && { kind: FoldingRangeKind.Comment }),
          ...(kind === "document" && { kind: FoldingRangeKind.Region }),
        })),
      ),
    );
  },
};
