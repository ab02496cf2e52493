/**
 * Reads `*.scenario.yaml`: a user's steps, and what is expected after them. Steps are those of the engine; `apply` names files
 * beside the scenario or contains manifests, `kustomize` and `helm` name a folder.
 */
import type { Json } from "../../engine/api/json.ts";
import type { Ref } from "../../engine/api/meta.ts";
import type {
  DeleteTarget,
  DriverFault,
  Manifest,
  NewJob,
  ObjectName,
  Step,
} from "../../engine/scenario.ts";
import { restLimitMs } from "../../protocol/what-if.ts";
import { durationMs } from "../shapes/duration.ts";
import { problemsOf, type ShapeProblem } from "../shapes/shape-problems.ts";
import { isRecord } from "../yaml/manifest.ts";
import { readManifestFile } from "../yaml/manifest-file.ts";
import type { Path } from "../yaml/place.ts";
import type { YamlDocument } from "../yaml/yaml-document.ts";
import type { Expectation } from "./expectation.ts";
import type { ScenarioRelease } from "./installed-chart.ts";
import { refOfText } from "./object-text.ts";
import { scenarioShape } from "./scenario-shape.ts";

export type FileStep =
  | { readonly type: "engine"; readonly step: Step }
  | { readonly type: "apply"; readonly files: readonly string[] }
  | { readonly type: "kustomize"; readonly folder: string }
  | { readonly type: "helm"; readonly release: ScenarioRelease }
  /** A node step for the node that runs a pod. */
  | { readonly type: "node-of"; readonly pod: Ref; readonly kubelet: Kubelet }
  | { readonly type: "expect"; readonly expectations: readonly Expectation[] };

type Kubelet = "up" | "down" | "restart";

export interface PlacedStep {
  readonly path: Path;
  readonly step: FileStep;
}

export interface ScenarioFile {
  /** "" if it has none. */
  readonly title: string;
  /** Overrides the profile in claimcheck.yaml. */
  readonly profile?: string;
  readonly seed: number;
  readonly steps: readonly PlacedStep[];
  /** What is wrong with its form. If there is anything, there are no steps. */
  readonly problems: readonly ShapeProblem[];
}

export function isScenarioUri(uri: string): boolean {
  return /\.scenario\.ya?ml$/.test(uri);
}

/** A file that is not valid YAML has no steps; its problems are found elsewhere. */
export function readScenarioFile({ value }: YamlDocument): ScenarioFile {
  const shapeProblems = problemsOf(value, scenarioShape, []);
  if (!isRecord(value)) return { title: "", seed: 1, steps: [], problems: shapeProblems };
  const { title = "", profile, seed } = value;
  const steps = Array.isArray(value["steps"]) ? value["steps"] : [];
  const problems = [...shapeProblems, ...steps.flatMap(unreadableStep)];
  return {
    title: String(title),
    ...(profile !== undefined && { profile: String(profile) }),
    seed: typeof seed === "number" ? seed : 1,
    steps:
      problems.length > 0
        ? []
        : steps.flatMap((step: Fields, index) =>
            Object.entries(step).map(([verb, body]) => ({
              path: ["steps", index, verb],
              step: readStep(verb, body),
            })),
          ),
    problems,
  };
}

type Fields = Readonly<Record<string, unknown>>;

/** Problems of manifests in the step itself. */
function unreadableStep(step: unknown, index: number): readonly ShapeProblem[] {
  const text = isRecord(step) ? step["apply"] : undefined;
  if (Array.isArray(text)) return textsInList(text, index);
  const why = typeof text === "string" ? unreadableIn(text) : undefined;
  if (typeof text !== "string" || why === undefined) return [];
  const message = /^\S+\.(?:ya?ml|json)$/.test(text)
    ? `“apply” names files in a list: [${text}]`
    : `“apply” cannot be applied: ${why}`;
  return [{ path: ["steps", index, "apply"], message }];
}

/** `apply` with a list names files. */
function textsInList(names: readonly unknown[], index: number): readonly ShapeProblem[] {
  const message = "“apply” takes manifests as one text in place of the list: apply: |";
  return names.flatMap((name, at) =>
    String(name).includes("\n") ? [{ path: ["steps", index, "apply", at], message }] : [],
  );
}

/** The body must have the shape of its verb. */
function readStep(verb: string, body: unknown): FileStep {
  switch (verb) {
    case "apply":
      return Array.isArray(body)
        ? { type: "apply", files: body.map(String) }
        : engine({ type: "apply", manifests: manifestsOf(String(body)) });
    case "kustomize":
      return { type: "kustomize", folder: String(body) };
    case "helm":
      return { type: "helm", release: readRelease(body as Fields) };
    case "expect":
      return { type: "expect", expectations: (body as readonly Fields[]).map(readExpectation) };
    case "advance":
      return engine({ type: "advance", ms: durationMs(body) ?? 0 });
    case "delete":
      return engine({ type: "delete", objects: (body as readonly Fields[]).map(readTarget) });
    default:
      return readMapping(verb, body as Fields);
  }
}

function readMapping(verb: string, body: Fields): FileStep {
  const {
    name,
    within,
    patch,
    type,
    subresource,
    replicas,
    kubelet,
    of: pod,
    delay,
    ...rest
  } = body;
  switch (verb) {
    case "settle":
      // As long as the page waits: pods that start one after another may wait for their probes for minutes.
      return engine({
        type: "settle",
        limitMs: within === undefined ? restLimitMs : (durationMs(within) ?? 0),
      });
    case "patch":
      return engine({
        type: "patch",
        object: objectName(body),
        patch: patch as Json,
        ...(type === "strategic" && { patchType: type }),
        ...(subresource === "status" && { subresource }),
      });
    case "scale":
      return engine({ type: "scale", object: objectName(body), replicas: Number(replicas) });
    case "createJob":
      return engine({ type: "createJob", ...newJob(body) });
    case "node":
      return pod === undefined
        ? engine({ type: "node", name: String(name), kubelet: kubelet as Kubelet })
        : { type: "node-of", pod: refOfText(String(pod)), kubelet: kubelet as Kubelet };
    case "driver":
      return engine({ type: "driver", name: String(name), ...rest });
    case "fault": {
      const fault = rest as unknown as DriverFault;
      const delayMs = delay === undefined ? undefined : durationMs(delay);
      return engine({
        type: "fault",
        fault: { ...fault, ...(delayMs !== undefined && { delayMs }) },
      });
    }
    default:
      return engine({ type: verb as "cordon" | "uncordon" | "drain", name: String(name) });
  }
}

function readRelease({
  chart,
  name = "",
  namespace = "default",
  values = [],
  skipSchemaValidation = false,
}: Fields): ScenarioRelease {
  const files: readonly unknown[] = Array.isArray(values) ? values : [values];
  return {
    chart: String(chart),
    name: String(name),
    namespace: String(namespace),
    values: files.map(String),
    skipSchemaValidation: skipSchemaValidation === true,
  };
}

function readExpectation({ within, about, refused, ...fields }: Fields): Expectation {
  return {
    ...textFields(fields),
    ...(about !== undefined && { about: refOfText(String(about)) }),
    ...(refused !== undefined && { refused: refOfText(String(refused)) }),
    ...(within !== undefined && { withinMs: durationMs(within) ?? 0 }),
  } as Expectation;
}

function readTarget(fields: Fields): DeleteTarget {
  return textFields(fields) as unknown as DeleteTarget;
}

function objectName({ kind, namespace, name }: Fields): ObjectName {
  return textFields({
    kind,
    ...(namespace !== undefined && { namespace }),
    name,
  }) as unknown as ObjectName;
}

function newJob({ namespace, name, from }: Fields): NewJob {
  const [, cronJob = ""] = String(from).split("/");
  return {
    ...(namespace !== undefined && { namespace: String(namespace) }),
    name: String(name),
    from: cronJob,
  };
}

const numbers: ReadonlySet<string> = new Set([
  "count",
  "readyReplicas",
  "succeeded",
  "nodeCount",
  "grace",
]);

/** Names, phases and sizes are text even if YAML reads them as numbers. */
function textFields(fields: Fields): Fields {
  return Object.fromEntries(
    Object.entries(fields).map(([key, value]) => [
      key,
      typeof value === "number" && !numbers.has(key) ? String(value) : value,
    ]),
  );
}

/** Why kubectl would send nothing from the text; undefined if it would send something. */
export function unreadableIn(text: string): string | undefined {
  const { documents, templateAt } = readManifestFile(text);
  if (templateAt !== undefined) return "it is a template";
  const problems = documents.flatMap(({ yaml }) => yaml.problems);
  const broken = problems.find(({ code }) => code !== "yaml-duplicate-key");
  if (broken !== undefined) return broken.message;
  return documents.every(({ objects }) => objects.length === 0) ? "it holds no object" : undefined;
}

/** The objects in a file's text, in order; broken documents are left out. */
export function manifestsOf(text: string): readonly Manifest[] {
  return readManifestFile(text).documents.flatMap((d) => d.objects.map((object) => object.value));
}

function engine(step: Step): FileStep {
  return { type: "engine", step };
}
