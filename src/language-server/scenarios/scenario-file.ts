/**
 * `*.scenario.yaml`: steps that a person takes, and what is expected after them. The steps are those of the engine; `apply`
 * names files beside the scenario or holds manifests itself.
 */
import type { Json } from "../../engine/api/json.ts";
import type { Kind } from "../../engine/api/meta.ts";
import type { DriverFault, Manifest, ObjectName, Step } from "../../engine/scenario.ts";
import { isRecord } from "../yaml/manifest.ts";
import { readManifestFile } from "../yaml/manifest-file.ts";
import { readYamlDocument } from "../yaml/yaml-document.ts";
import type { Expectation } from "./expectation.ts";

export type FileStep =
  | { readonly type: "engine"; readonly step: Step }
  | { readonly type: "apply"; readonly files: readonly string[] }
  /** A node step for whichever node runs a pod. */
  | { readonly type: "node-of"; readonly pod: string; readonly kubelet: "up" | "down" | "restart" }
  | { readonly type: "expect"; readonly expectations: readonly Expectation[] };

export interface ScenarioFile {
  readonly title: string;
  /** Overrides claimcheck.yaml's profile. */
  readonly profile?: string;
  readonly seed: number;
  readonly steps: readonly FileStep[];
  /** What could not be read, in words; the steps concerned are left out. */
  readonly problems: readonly string[];
}

export function readScenarioFile(text: string): ScenarioFile {
  const { value, problems } = readYamlDocument(text);
  const messages = problems.map((problem) => problem.message);
  if (!isRecord(value)) {
    return {
      title: "",
      seed: 1,
      steps: [],
      problems: [...messages, "A scenario is a mapping with `steps`"],
    };
  }
  const steps: FileStep[] = [];
  const raw = value["steps"];
  if (!Array.isArray(raw)) messages.push("`steps` is a list");
  else {
    for (const [index, item] of raw.entries()) {
      const step = isRecord(item) ? readStep(item) : "a step is a mapping with one key";
      if (typeof step === "string") messages.push(`steps[${index}]: ${step}`);
      else steps.push(step);
    }
  }
  const { profile, title, seed } = value;
  return {
    title: typeof title === "string" ? title : "",
    ...(typeof profile === "string" && { profile }),
    seed: typeof seed === "number" ? seed : 1,
    steps,
    problems: messages,
  };
}

/** "30s", "1m30s", "250ms", or a number of milliseconds; undefined for anything else. */
export function durationMs(value: unknown): number | undefined {
  if (typeof value === "number") return value;
  if (typeof value !== "string" || !/^(?:[\d.]+(?:ms|s|m|h))+$/.test(value)) return undefined;
  const unitMs: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 };
  let ms = 0;
  for (const [, amount, unit] of value.matchAll(/([\d.]+)(ms|s|m|h)/g)) {
    ms += Number(amount) * (unitMs[unit ?? ""] ?? 0);
  }
  return ms;
}

/** The step, or what is wrong with it. */
function readStep(item: Readonly<Record<string, unknown>>): FileStep | string {
  const [verb = "", ...others] = Object.keys(item);
  if (others.length > 0) return `a step has one key, not ${[verb, ...others].join(", ")}`;
  const body = item[verb];
  if (verb === "apply") return readApply(body);
  if (verb === "expect") {
    return Array.isArray(body)
      ? { type: "expect", expectations: body.filter(isRecord) as Expectation[] }
      : "`expect` is a list";
  }
  if (verb === "settle") {
    const limitMs = isRecord(body) ? durationMs(body["within"]) : undefined;
    return engine({ type: "settle", ...(limitMs !== undefined && { limitMs }) });
  }
  if (verb === "advance") {
    const ms = durationMs(body);
    return ms === undefined
      ? "`advance` is a duration such as 30s"
      : engine({ type: "advance", ms });
  }
  if (verb === "delete") {
    return Array.isArray(body)
      ? engine({ type: "delete", objects: body.filter(isRecord) as unknown as ObjectName[] })
      : "`delete` is a list of objects";
  }
  if (!isRecord(body)) return `unknown step \`${verb}\``;
  return readMappingStep(verb, body);
}

function readMappingStep(verb: string, body: Readonly<Record<string, unknown>>): FileStep | string {
  switch (verb) {
    case "patch":
      return engine({
        type: "patch",
        object: objectName(body),
        patch: body["patch"] as Json,
        ...(body["subresource"] === "status" && { subresource: "status" }),
      });
    case "scale":
      return engine({
        type: "scale",
        object: objectName(body),
        replicas: Number(body["replicas"]),
      });
    case "fault": {
      const { delay, ...fault } = body;
      const delayMs = durationMs(delay);
      return engine({
        type: "fault",
        fault: { ...(fault as unknown as DriverFault), ...(delayMs !== undefined && { delayMs }) },
      });
    }
    case "driver":
      return engine({ type: "driver", ...(body as { name: string }) });
    case "cordon":
    case "uncordon":
    case "drain":
      return engine({ type: verb, name: String(body["name"]) });
    case "node": {
      const kubelet = body["kubelet"] as "up" | "down" | "restart";
      const { of: pod } = body;
      return typeof pod === "string"
        ? { type: "node-of", pod, kubelet }
        : engine({ type: "node", name: String(body["name"]), kubelet });
    }
    default:
      return `unknown step \`${verb}\``;
  }
}

function readApply(body: unknown): FileStep | string {
  if (Array.isArray(body)) return { type: "apply", files: body.map(String) };
  if (typeof body !== "string") return "`apply` is a list of files, or manifests as text";
  return engine({ type: "apply", manifests: manifestsOf(body) });
}

/** The objects of a file's text, in order; broken documents are left out. */
export function manifestsOf(text: string): readonly Manifest[] {
  return readManifestFile(text).documents.flatMap((d) => d.objects.map((object) => object.value));
}

function engine(step: Step): FileStep {
  return { type: "engine", step };
}

function objectName(body: Readonly<Record<string, unknown>>): ObjectName {
  const { namespace } = body;
  return {
    kind: body["kind"] as Kind,
    name: String(body["name"]),
    ...(typeof namespace === "string" && { namespace }),
  };
}
