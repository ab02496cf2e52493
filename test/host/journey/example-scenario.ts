/** Gives the page what the language server would answer for an example folder. */
import { strict as assert } from "node:assert";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Manifest } from "../../../src/engine/scenario.ts";
import { Simulation } from "../../../src/engine/simulation.ts";
import { createLanguageService } from "../../../src/language-server/service.ts";
import { diskFileSystem } from "../../../src/language-server/workspace/files/disk-workspace.ts";
import type { ScenarioReply } from "../../../src/protocol/messages.ts";

export async function exampleScenario(name: string): Promise<ScenarioReply> {
  const service = createLanguageService({
    fileSystem: diskFileSystem,
    pause: () => new Promise((resolve) => setImmediate(resolve)),
  });
  const folder = join(import.meta.dirname, "..", "..", "..", "examples", name);
  await service.loadFolders([pathToFileURL(folder).toString()]);
  const reply = service.scenario({});
  assert.ok(reply !== null, `examples/${name} holds objects`);
  return reply;
}

/** Returns the answer for one manifest in a folder that imports the cluster as an example's run has left it. */
export async function importedScenario(name: string, manifest: Manifest): Promise<ScenarioReply> {
  const { environment, scenario } = await exampleScenario(name);
  const simulation = new Simulation(scenario);
  for (const _ of simulation.slices());
  const { store } = simulation.runtime.api;
  const state = JSON.parse(JSON.stringify([...store.all()])) as readonly Manifest[];
  const cluster = { ...scenario.cluster, manifests: [], state };
  const [apply, settle] = scenario.steps;
  assert.ok(apply?.type === "apply" && settle?.type === "settle");
  return {
    environment: {
      ...environment,
      profileFrom: "imported",
      profileTitle: "imported cluster, 3 nodes, taken from cluster.yaml",
    },
    scenario: { ...scenario, cluster, steps: [{ ...apply, manifests: [manifest] }, settle] },
    sources: [],
  };
}
