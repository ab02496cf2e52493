/** Reads scenario and profile files of the conformance format into the engine's scenario. */
import { readFileSync } from "node:fs";
import path from "node:path";
import { parse, parseAllDocuments } from "yaml";
import type { Json } from "../../src/engine/api/json.ts";
import type { Kind } from "../../src/engine/api/meta.ts";
import { type DriverProfile, driverProfile } from "../../src/engine/csi/driver-profile.ts";
import type {
  ClusterProfile,
  DeleteTarget,
  DriverFault,
  Manifest,
  NodeProfile,
  Scenario,
  Step,
} from "../../src/engine/scenario.ts";

type Raw = Readonly<Record<string, unknown>>;

/** Reads multi-document YAML 1.1 as kubectl does; timestamps stay strings. */
export function parseManifests(text: string): readonly Manifest[] {
  return parseAllDocuments(text, {
    version: "1.1",
    customTags: (tags) =>
      tags.filter((t) => typeof t === "string" || t.tag !== "tag:yaml.org,2002:timestamp"),
  })
    .map((document) => document.toJS() as Manifest | null)
    .filter((manifest) => manifest !== null);
}

/** "30s", "1m30s", "250ms", or a number of milliseconds. */
export function durationMs(text: unknown): number {
  if (typeof text === "number") return text;
  let ms = 0;
  for (const [, amount, unit] of String(text).matchAll(/([\d.]+)(ms|s|m|h)/g)) {
    ms += Number(amount) * ({ ms: 1, s: 1000, m: 60_000, h: 3_600_000 }[unit ?? "s"] ?? 0);
  }
  return ms;
}

export function readProfile(directory: string, name: string): ClusterProfile {
  const raw = parse(readFileSync(path.join(directory, "profiles", `${name}.yaml`), "utf8")) as Raw;
  const drivers = ((raw["drivers"] ?? []) as Raw[]).map(readDriver);
  const nodes = ((raw["nodes"] ?? []) as NodeProfile[]).map(
    (node): NodeProfile => ({
      ...node,
      statusUpdateMs: 1000,
      fakeMounts: true,
      tools: ["mount", "mkfs.ext4", "mkfs.xfs"],
    }),
  );
  const manifests = [...own, ...parseManifests((raw["manifests"] ?? "") as string)];
  return { name, nodes, drivers, manifests, disabledAdmissionPlugins: ["ServiceAccount"] };
}

/** Objects that Kubernetes makes itself, in the only namespace that matters: `default`. */
const own: readonly Manifest[] = [
  { kind: "ConfigMap", metadata: { name: "kube-root-ca.crt" }, data: { "ca.crt": "" } },
  { kind: "ServiceAccount", metadata: { name: "default" } },
  { kind: "Service", metadata: { name: "kubernetes" }, spec: { ports: [{ port: 443 }] } },
].map((manifest) => ({ apiVersion: "v1", ...manifest }));

function readDriver(raw: Raw): DriverProfile {
  const { snapshotReadyAfter, roundUpTo, minSize, maxSize, poolPerZone, defaultSize, ...rest } =
    raw;
  const sizes = { roundUpTo, minSize, maxSize, poolPerZone, defaultSize };
  const given = Object.entries(sizes).filter(([, size]) => size !== undefined);
  return driverProfile({
    ...(rest as { name: string }),
    ...Object.fromEntries(given.map(([key, size]) => [key, String(size)])),
    ...(snapshotReadyAfter !== undefined && {
      snapshotReadyAfterMs: durationMs(snapshotReadyAfter),
    }),
  });
}

export interface ScenarioFile {
  readonly title: string;
  readonly scenario: Scenario;
}

export function readScenario(directory: string, id: string): ScenarioFile {
  const raw = parse(readFileSync(path.join(directory, "scenarios", `${id}.yaml`), "utf8")) as Raw;
  const settleLimitMs = raw["needsTime"] === true ? 420_000 : 75_000;
  const steps = (raw["steps"] as Raw[]).map((step) => readStep(step, settleLimitMs));
  const cluster = readProfile(directory, String(raw["profile"]));
  return { title: String(raw["title"]), scenario: { version: "1.36", seed: 1, cluster, steps } };
}

function readStep(raw: Raw, settleLimitMs: number): Step {
  const [verb, value] = Object.entries(raw)[0] ?? ["", undefined];
  const body = value as Raw;
  switch (verb) {
    case "apply":
      return { type: "apply", manifests: parseManifests(String(value)) };
    case "settle":
      return { type: "settle", limitMs: settleLimitMs };
    case "advance":
      return { type: "advance", ms: durationMs(value) };
    case "delete":
      return { type: "delete", objects: value as DeleteTarget[] };
    case "patch":
      return {
        type: "patch",
        object: objectName(body),
        patch: body["patch"] as Json,
        ...(body["subresource"] === "status" && { subresource: "status" }),
      };
    case "scale":
      return { type: "scale", object: objectName(body), replicas: Number(body["replicas"]) };
    case "fault": {
      const { delay, ...fault } = body;
      return {
        type: "fault",
        fault: {
          ...(fault as unknown as DriverFault),
          ...(delay !== undefined && { delayMs: durationMs(delay) }),
        },
      };
    }
    case "driver":
      return { type: "driver", ...(body as { name: string }) };
    case "node":
      return { type: "node", ...(body as { name: string; kubelet: "up" | "down" | "restart" }) };
    default:
      throw new Error(`unknown step ${verb}`);
  }
}

function objectName(raw: Raw): { kind: Kind; namespace?: string; name: string } {
  const namespace = raw["namespace"];
  return {
    kind: raw["kind"] as Kind,
    name: String(raw["name"]),
    ...(typeof namespace === "string" && { namespace }),
  };
}
