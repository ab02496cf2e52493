/** Parts of workloads' manifests in one line each, for fixtures that are not about pod templates. */
import type { ClusterProfile } from "../../src/engine/scenario.ts";

/** A pod template: one container, ready at once and running until it is stopped. `spec` is YAML in flow style. */
export function template(app: string, spec = ""): string {
  const more = spec === "" ? "" : `, ${spec}`;
  return `{metadata: {labels: {app: ${app}}}, spec: {containers: [{name: main, image: app}]${more}}}`;
}

/** The selector and template of a workload. */
export function runs(app: string, spec = ""): string {
  return `selector: {matchLabels: {app: ${app}}}, template: ${template(app, spec)}`;
}

/** A template whose container ends by itself with this code. */
export function ends(code: number, restartPolicy = "Never"): string {
  const env = `env: [{name: FAKE_EXIT, value: "${code}@1"}]`;
  return `template: {spec: {restartPolicy: ${restartPolicy}, containers: [{name: main, image: app, ${env}}]}}`;
}

export const oneNode: Partial<ClusterProfile> = { nodes: [{ name: "node-a" }] };
