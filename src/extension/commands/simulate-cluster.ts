/** Opens the simulation of the environment that the active file belongs to. */
import * as vscode from "vscode";
import type { SimulationPanel } from "../panels/simulation-panel.ts";

export function simulateCluster(panel: SimulationPanel): Promise<void> {
  return panel.open(vscode.window.activeTextEditor?.document.uri.toString());
}
