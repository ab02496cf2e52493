/** All features of the server. A new feature is a file of its own and a line here. */
import { callHierarchyHandler } from "./call-hierarchy.ts";
import { codeActionHandler } from "./code-action.ts";
import { codeLensHandler } from "./code-lens.ts";
import { completionHandler } from "./completion.ts";
import { configurationHandler } from "./configuration.ts";
import { definitionHandler } from "./definition.ts";
import { documentHighlightHandler } from "./document-highlight.ts";
import { documentLinkHandler } from "./document-link.ts";
import { documentSymbolHandler } from "./document-symbol.ts";
import { documentSyncHandler } from "./document-sync.ts";
import { explainHandler } from "./explain.ts";
import { foldingRangeHandler } from "./folding-range.ts";
import type { ProtocolHandler } from "./handler.ts";
import { hoverHandler } from "./hover.ts";
import { importClusterHandler } from "./import-cluster.ts";
import { inlayHintHandler } from "./inlay-hint.ts";
import { judgeCommandsHandler } from "./judge-commands.ts";
import { originHandler } from "./origin.ts";
import { outcomeHandler } from "./outcome.ts";
import { overlaysHandler } from "./overlays.ts";
import { pullDiagnosticsHandler } from "./pull-diagnostics.ts";
import { referencesHandler } from "./references.ts";
import { renameHandler } from "./rename.ts";
import { scenarioFilesHandler } from "./scenario-files.ts";
import { selectionRangeHandler } from "./selection-range.ts";
import { simulationHandler } from "./simulation.ts";
import { statusHandler } from "./status.ts";
import { watchedFilesHandler } from "./watched-files.ts";
import { workspaceFoldersHandler } from "./workspace-folders.ts";
import { workspaceSymbolHandler } from "./workspace-symbol.ts";

export const handlers: readonly ProtocolHandler[] = [
  // State that everything else reads.
  documentSyncHandler,
  workspaceFoldersHandler,
  watchedFilesHandler,
  configurationHandler,
  pullDiagnosticsHandler,
  // Navigation.
  hoverHandler,
  definitionHandler,
  originHandler,
  referencesHandler,
  documentHighlightHandler,
  callHierarchyHandler,
  documentSymbolHandler,
  workspaceSymbolHandler,
  documentLinkHandler,
  foldingRangeHandler,
  selectionRangeHandler,
  // Writing.
  completionHandler,
  codeActionHandler,
  renameHandler,
  // Annotations in the editor.
  codeLensHandler,
  inlayHintHandler,
  judgeCommandsHandler,
  // Our own requests, defined in src/protocol.
  simulationHandler,
  outcomeHandler,
  explainHandler,
  scenarioFilesHandler,
  importClusterHandler,
  overlaysHandler,
  statusHandler,
];
