/** Saves the steps taken on the simulation page as a scenario file; only the page knows them. */
import type { SimulationPanel } from "../panels/simulation-panel.ts";

export function saveScenario(panel: SimulationPanel): Promise<void> {
  return panel.askToSave();
}
