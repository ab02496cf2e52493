/** Saves what was done on the simulation page as a scenario file; only the page knows what that is. */
import type { SimulationPanel } from "../panels/simulation-panel.ts";

export function saveScenario(panel: SimulationPanel): Promise<void> {
  return panel.askToSave();
}
