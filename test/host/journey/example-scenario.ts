/** What the language server would answer for an example folder, without a language server. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { parse, parseAllDocuments } from "yaml";
import { assumeCluster } from "../../../src/engine/profiles/assume-cluster.ts";
import type { Manifest } from "../../../src/engine/scenario.ts";
import type { Environment, ScenarioReply } from "../../../src/protocol/messages.ts";

export function exampleScenario(name: string): ScenarioReply {
  const folder = join(import.meta.dirname, "..", "..", "..", "examples", name);
  const project: { readonly profile?: string } = parse(
    readFileSync(join(folder, "claimcheck.yaml"), "utf8"),
  );
  const manifests = readdirSync(folder)
    .filter((file) => /\.yaml$/.test(file) && !/(claimcheck|\.scenario)\.yaml$/.test(file))
    .sort()
    .flatMap((file) => parseAllDocuments(readFileSync(join(folder, file), "utf8")))
    .map((document): Manifest => document.toJS());
  const { cluster } = assumeCluster(manifests, project.profile);
  const environment: Environment = {
    id: name,
    name,
    folder: pathToFileURL(folder).toString(),
    profile: cluster.name,
    profileFrom: "project",
    kubernetesVersion: "1.36",
    objectCount: manifests.length,
    revision: 1,
  };
  const steps = [{ type: "apply", manifests } as const, { type: "settle" } as const];
  const scenario = { version: "1.36", seed: 1, cluster, steps } as const;
  return { environment, scenario, sources: [] };
}
