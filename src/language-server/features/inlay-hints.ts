/**
 * Inlay hints: what the cluster fills in or makes of a field. The default class of a claim, its volume and the volume's zone,
 * what access modes allow, how many bytes a quantity is.
 */
import type { KubeObject } from "../../engine/api/meta.ts";
import { nanosPerOne, parseQuantity } from "../../engine/api/quantity.ts";
import { podsOf } from "../../engine/explain/pods-using.ts";
import type { Analysis } from "../analysis.ts";
import { own } from "../own.ts";
import type { Prediction } from "../prediction/prediction.ts";
import type { Environment } from "../workspace/environment.ts";
import { claimSpecsOf, fieldsOf, listAt, textAt } from "../workspace/manifest-fields.ts";
import {
  documentStart,
  type WorkspaceFile,
  type WorkspaceObject,
} from "../workspace/workspace-object.ts";
import { locate } from "../yaml/locate.ts";
import { type ManifestObject, plainText, valueAt } from "../yaml/manifest.ts";
import type { Path, Span } from "../yaml/place.ts";
import { isMadeUpName } from "./provisioned-name.ts";

/** The setting `claimcheck.inlayHints.KIND` switches each one off. */
const hintKinds = ["storageClass", "volume", "zone", "accessModes", "quantity"] as const;
export type HintKind = (typeof hintKinds)[number];

export interface InlayHint {
  readonly kind: HintKind;
  /** Offset in the file. */
  readonly offset: number;
  readonly label: string;
  readonly tooltip: string;
}

/** For the visible part of a file. Without a prediction, only the hints that need none (access modes, quantities). */
export function inlayHints(
  analysis: Analysis,
  prediction: Prediction | undefined,
  file: WorkspaceFile,
  { start, end }: Span = { start: 0, end: file.manifest.text.length },
  wants: (kind: HintKind) => boolean = () => true,
): readonly InlayHint[] {
  const { slices } = file.manifest;
  return analysis.environment.objects
    .filter(({ file: { uri }, documentIndex }) => {
      const slice = uri === file.uri ? slices[documentIndex] : undefined;
      return slice !== undefined && slice.start <= end && slice.end >= start;
    })
    .flatMap((entry) => [
      ...meaningHints(entry),
      ...(prediction === undefined
        ? []
        : place(entry, [...volumeHints(prediction, entry), ...classHints(prediction, entry)])),
    ])
    .filter(({ kind, offset }) => offset >= start && offset <= end && wants(kind));
}

type Volume = KubeObject<"PersistentVolume">;
type Claim = KubeObject<"PersistentVolumeClaim">;
type Hint = Omit<InlayHint, "offset"> & { readonly path: Path };

/** Drops hints whose field is not written in this file. */
function place(entry: WorkspaceObject, hints: readonly Hint[]): readonly InlayHint[] {
  const { object, document, patched } = entry;
  return hints.flatMap(({ path, ...hint }) => {
    if (patched !== undefined && patched.placeOf(path).file.uri !== entry.file.uri) return [];
    const full = patched?.writable(path)?.path ?? [...object.path, ...path];
    const at = locate(document.yaml, full);
    if (at.depth < full.length) return [];
    // A hint about a whole mapping goes after its key.
    const isBlock = path.at(-1) === "spec";
    const { end } = isBlock ? (at.key ?? at.value) : at.value;
    return [{ ...hint, offset: documentStart(entry) + end }];
  });
}

function volumeHints(prediction: Prediction, { object }: WorkspaceObject): readonly Hint[] {
  const claim = object.ref === undefined ? undefined : prediction.facts.objects.get(object.ref);
  if (claim?.kind !== "PersistentVolumeClaim") return [];
  const { volumeName } = claim.spec;
  if (claim.status?.phase !== "Bound" || volumeName === undefined) return [];
  const hints: Hint[] = [];
  const profile = prediction.assumed.cluster.name;
  const path = ["metadata", "name"];
  const volume = prediction.facts.get("PersistentVolume", undefined, volumeName);
  if (textAt(object.value, "spec", "volumeName") !== volumeName) {
    const tooltip = `“${volumeName}”, the volume that the claim gets with cluster profile “${profile}”`;
    const label = `→ ${shownName(prediction.environment, volumeName, volume)}`;
    hints.push({ kind: "volume", path, label, tooltip });
  }
  const zones = zonesOf(volume);
  if (zones.length > 0) {
    const tooltip = `Where the volume can be used with cluster profile “${profile}”`;
    hints.push({ kind: "zone", path, label: `in ${zones.join(", ")}`, tooltip });
  }
  return hints;
}

/** For claims, and claim templates, that name no class. */
function classHints(prediction: Prediction, { object }: WorkspaceObject): readonly Hint[] {
  return claimSpecsOf(object).flatMap(({ fields, path }): readonly Hint[] => {
    if (fields["storageClassName"] !== undefined) return [];
    const { storageClassName = "" } = claimOf(prediction, object, path)?.spec ?? {};
    const tooltip = "The default class, filled in at creation";
    const label = `class ${storageClassName}`;
    return storageClassName === "" ? [] : [{ kind: "storageClass", path, label, tooltip }];
  });
}

/** The claim made from the spec at the path; for a workload, that of its first pod. */
function claimOf(
  { facts }: Prediction,
  { kind, namespace, ref, value }: ManifestObject,
  path: Path,
): Claim | undefined {
  const held = ref === undefined ? undefined : facts.objects.get(ref);
  if (held === undefined || held.kind === "PersistentVolumeClaim") return held;
  const [pod] = kind === "Pod" ? [held] : podsOf(facts, held.metadata.uid);
  if (pod === undefined) return undefined;
  const { name } = pod.metadata;
  const isTemplate = path.includes("volumeClaimTemplates");
  const claim = isTemplate
    ? `${textAt(fieldsOf(valueAt(value, path.slice(0, -1))), "metadata", "name")}-${name}`
    : `${name}-${textAt(fieldsOf(valueAt(value, path.slice(0, -3))), "name")}`;
  return facts.get("PersistentVolumeClaim", namespace, claim);
}

/** VS Code truncates the hints of a line after 43 characters, and the zone comes after the name. */
const nameLengthMax = 20;

/** A generated volume name is long and says nothing, so its size is shown instead. */
function shownName(environment: Environment, name: string, volume: Volume | undefined): string {
  if (isMadeUpName(environment, name)) {
    const size = volume?.spec.capacity?.["storage"];
    return size === undefined ? "a new volume" : `new volume, ${size}`;
  }
  return name.length > nameLengthMax ? `${name.slice(0, nameLengthMax - 1)}…` : name;
}

function zonesOf(volume: Volume | undefined): readonly string[] {
  const terms = volume?.spec.nodeAffinity?.required?.nodeSelectorTerms ?? [];
  const zones = terms
    .flatMap(({ matchExpressions = [] }) => matchExpressions)
    .filter(({ key, operator }) => /(?:^|[./])zone$/.test(key) && operator === "In")
    .flatMap(({ values = [] }) => values);
  return [...new Set(zones)].sort();
}

function meaningHints(entry: WorkspaceObject): readonly InlayHint[] {
  const { kind, value } = entry.object;
  if (kind === "PersistentVolume")
    return place(entry, specHints(value["spec"], ["spec"], ["capacity", "storage"]));
  const size = ["resources", "requests", "storage"];
  const specs = claimSpecsOf(entry.object);
  return place(
    entry,
    specs.flatMap(({ fields, path }) => specHints(fields, path, size)),
  );
}

const meanings: Readonly<Record<string, readonly [label: string, tooltip: string]>> = {
  ReadWriteOnce: ["one node", "All pods of one node at a time may write"],
  ReadOnlyMany: ["many nodes, read only", "Pods of many nodes may read"],
  ReadWriteMany: ["many nodes", "Pods of many nodes may write"],
  ReadWriteOncePod: ["one pod", "One pod in the whole cluster may use it"],
};

function specHints(spec: unknown, path: Path, size: readonly string[]): readonly Hint[] {
  const holder = { spec };
  const modes = listAt(holder, "spec", "accessModes").flatMap((mode, index): Hint[] => {
    const [label, tooltip] = own(meanings, plainText(mode)) ?? [];
    if (label === undefined || tooltip === undefined) return [];
    return [{ kind: "accessModes", path: [...path, "accessModes", index], label, tooltip }];
  });
  const text = textAt(holder, "spec", ...size);
  const bytes = text === undefined ? undefined : bytesOf(text);
  if (bytes === undefined) return modes;
  const tooltip = "The size in bytes";
  return [...modes, { kind: "quantity", path: [...path, ...size], label: `= ${bytes}`, tooltip }];
}

/** Larger than any volume: nobody needs the number of bytes. */
const digitsMax = 30;

/** Undefined if the text is no quantity, has too many digits, or is a plain number of bytes already. */
function bytesOf(text: string): string | undefined {
  const quantity = parseQuantity(text);
  if (quantity === undefined) return undefined;
  const digits = String(quantity.nanos / nanosPerOne);
  return digits === text || digits.length > digitsMax
    ? undefined
    : digits.replace(/\B(?=(?:\d{3})+$)/g, "\u202f");
}
