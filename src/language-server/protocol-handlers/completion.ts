/** textDocument/completion, completionItem/resolve. */
import {
  type Command,
  type CompletionItem,
  CompletionItemKind,
  type CompletionList,
  InsertTextFormat,
  InsertTextMode,
  MarkupKind,
} from "vscode-languageserver";
import { documentationOf } from "../completion/documentation.ts";
import type { About, CompletionKind } from "../completion/item.ts";
import { completions } from "../features/completion.ts";
import { linesOf } from "../text-lines.ts";
import type { ProtocolHandler } from "./handler.ts";

const kinds: Readonly<Record<CompletionKind, CompletionItemKind>> = {
  field: CompletionItemKind.Field,
  value: CompletionItemKind.EnumMember,
  object: CompletionItemKind.Reference,
  snippet: CompletionItemKind.Snippet,
};

/** Has VS Code ask at once for what may stand behind a key; where nothing may, it does not say so. */
const suggest: Command = {
  title: "Suggest",
  command: "editor.action.triggerSuggest",
  arguments: [{ auto: true }],
};

/** Lines that are indented already. */
function modeOf(insert: string): Pick<CompletionItem, "insertTextMode"> {
  return insert.includes("\n") ? { insertTextMode: InsertTextMode.asIs } : {};
}

/** What an item carries to the client and back, for its documentation. */
interface ItemData {
  readonly uri: string;
  readonly about: About;
}

export const completionHandler: ProtocolHandler = {
  capabilities: () => ({
    completionProvider: { triggerCharacters: [":", " "], resolveProvider: true },
  }),
  register: (session) => {
    const hasSnippets = (): boolean =>
      session.params?.capabilities.textDocument?.completion?.completionItem?.snippetSupport ===
      true;
    session.connection.onCompletion(({ textDocument, position }, token) =>
      session.answer<CompletionItem[] | CompletionList>("completion", token, [], () => {
        const uri = session.canonicalUri(textDocument.uri);
        const file = session.findFile(uri);
        if (file === undefined) return [];
        const lines = linesOf(file.manifest);
        const items = completions(session.service.analysisOf(uri), file, lines.offsetAt(position))
          .filter(({ kind }) => kind !== "snippet" || hasSnippets())
          .map(({ label, kind, detail, insert, about, replace }, index) => ({
            label,
            // What is particular to the place comes first; a client would put the items in the order of the alphabet.
            sortText: String(index).padStart(4, "0"),
            kind: kinds[kind],
            ...(detail !== undefined && { detail }),
            ...(kind === "snippet"
              ? { insertTextFormat: InsertTextFormat.Snippet }
              : modeOf(insert)),
            ...(kind === "field" && session.hasCommands && { command: suggest }),
            ...(about !== undefined && { data: { uri, about } satisfies ItemData }),
            textEdit: { range: lines.rangeOf(replace), newText: insert },
          }));
        // Names of files that are still to be read will come: the client asks again at the next letter.
        return session.service.isLoading() ? { isIncomplete: true, items } : items;
      }),
    );
    session.connection.onCompletionResolve((item, token) =>
      session.answer("completion resolve", token, item, () => {
        const data = item.data as ItemData | undefined;
        if (data === undefined) return item;
        const analysis = session.service.analysisOf(data.uri);
        const prediction = analysis && session.service.lastPrediction(analysis.environment);
        const value = documentationOf(data.about, analysis, prediction);
        return value === ""
          ? item
          : { ...item, documentation: { kind: MarkupKind.Markdown, value } };
      }),
    );
  },
};
