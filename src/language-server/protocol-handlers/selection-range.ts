/** textDocument/selectionRange. */
import type { SelectionRange } from "vscode-languageserver";
import { selectionRanges } from "../features/selection-ranges.ts";
import { linesOf } from "../text-lines.ts";
import type { WorkspaceFile } from "../workspace/workspace-object.ts";
import type { Span } from "../yaml/place.ts";
import type { ProtocolHandler } from "./handler.ts";
import { rangeIn } from "./to-lsp.ts";

export const selectionRangeHandler: ProtocolHandler = {
  capabilities: () => ({ selectionRangeProvider: true }),
  register: (session) => {
    session.connection.onSelectionRanges((params, token) =>
      session.answerInFile<SelectionRange[] | null>(
        "selectionRange",
        params,
        token,
        null,
        ({ file }) =>
          params.positions.map((position) =>
            nest(file, selectionRanges(file, linesOf(file.manifest).offsetAt(position))),
          ),
      ),
    );
  },
};

/** The protocol wants the innermost range, each with the range around it as its parent. */
function nest(file: WorkspaceFile, spans: readonly Span[]): SelectionRange {
  let inner: SelectionRange | undefined;
  for (const span of spans.toReversed())
    inner = { range: rangeIn(file, span), ...(inner !== undefined && { parent: inner }) };
  return inner ?? { range: rangeIn(file, { start: 0, end: 0 }) };
}
