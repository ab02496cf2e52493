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

/** Makes VS Code ask for completions after the inserted key; `auto` prevents a "No suggestions" message. */
const suggest: Command = {
  title: "Suggest",
  command: "editor.action.triggerSuggest",
  arguments: [{ auto: true }],
};

/** The text is indented already, so the client must not indent it again. */
function modeOf(insert: string): Pick<CompletionItem, "insertTextMode"> {
  return insert.includes("\n") ? { insertTextMode: InsertTextMode.asIs } : {};
}

/** What an item carries to the client and back, so that its documentation can be made. */
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
            // Keeps the order: specific items first. Clients would sort by label.
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
        // Files that are still unread may add names: the client asks again at the next character.
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
