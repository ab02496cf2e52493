/** textDocument/prepareCallHierarchy and callHierarchy/*: the storage chain. */
import type { CallHierarchyItem } from "vscode-languageserver";
import type { Range } from "../../protocol/messages.ts";
import { type ChainLink, chainStartsAt, restsOn, restsOnIt } from "../features/storage-chain.ts";
import { symbolOf } from "../features/symbols.ts";
import type { WorkspaceFile, WorkspaceObject } from "../workspace/workspace-object.ts";
import type { ProtocolHandler } from "./handler.ts";
import type { Session } from "./session.ts";
import { rangeIn, toLspHierarchyItem } from "./to-lsp.ts";

export const callHierarchyHandler: ProtocolHandler = {
  capabilities: () => ({ callHierarchyProvider: true }),
  register: (session) => {
    const { callHierarchy } = session.connection.languages;
    callHierarchy.onPrepare((params, token) =>
      session.answerAt("prepareCallHierarchy", params, token, null, (place) =>
        chainStartsAt(place.analysis, place.file, place.offset).map((entry) =>
          itemOf(session, entry),
        ),
      ),
    );
    callHierarchy.onOutgoingCalls(({ item }, token) =>
      session.answer("outgoingCalls", token, [], () =>
        neighbors(session, item, restsOn).map(({ to, places, of }) => ({
          to: itemOf(session, to),
          fromRanges: rangesIn(of.file, places),
        })),
      ),
    );
    callHierarchy.onIncomingCalls(({ item }, token) =>
      session.answer("incomingCalls", token, [], () =>
        neighbors(session, item, restsOnIt).map(({ to, places }) => ({
          from: itemOf(session, to),
          fromRanges: rangesIn(to.file, places),
        })),
      ),
    );
  },
};

interface Neighbor {
  readonly of: WorkspaceObject;
  readonly to: WorkspaceObject;
  readonly places: ChainLink["places"];
}

/** Nothing if the item's object no longer exists. */
function neighbors(
  { service }: Session,
  item: CallHierarchyItem,
  find: typeof restsOn,
): readonly Neighbor[] {
  const uri = service.canonicalUri(item.uri);
  const analysis = service.analysisOf(uri);
  const ref = (item.data as { readonly ref?: unknown } | undefined)?.ref;
  if (analysis === undefined || typeof ref !== "string") return [];
  const entries = analysis.environment.byRef.get(ref) ?? [];
  const of = entries.find((entry) => entry.file.uri === uri);
  if (of === undefined) return [];
  const prediction = service.lastPrediction(analysis.environment);
  return find(analysis, prediction, of).map(({ entry, places }) => ({ of, to: entry, places }));
}

function itemOf(session: Session, entry: WorkspaceObject): ReturnType<typeof toLspHierarchyItem> {
  return toLspHierarchyItem(symbolOf(entry), entry.object.ref ?? "", session.clientUri);
}

function rangesIn(file: WorkspaceFile, places: ChainLink["places"]): Range[] {
  return places.map((place) => rangeIn(file, place));
}
