/**
 * Why kustomize refuses a kustomization. Upstream: kustomize v5.8 api/types kustomization.go Unmarshal, CheckEmpty and
 * EnforceFields, api/internal/target kusttarget.go Load, and encoding/json, which ignores the case of field names.
 */
import { compareText } from "../../../engine/api/go/text-order.ts";
import { isRecord } from "../../yaml/manifest.ts";
import type { Path } from "../../yaml/place.ts";
import type { YamlDocument } from "../../yaml/yaml-document.ts";
import { knownName } from "./known-names.ts";
import {
  chartGlobalsType,
  chartType,
  configurationType,
  type GoStruct,
  type GoType,
  kustomizationType,
} from "./kustomization-type.ts";

type Fields = Readonly<Record<string, unknown>>;

export interface Refusal {
  readonly path: Path;
  readonly message: string;
  /** True if kustomize only checks this in the kustomization that is built, not in those that it names. */
  readonly isOfRoot?: boolean;
}

/** Empty for documents that are unreadable, which is reported elsewhere, and for objects of other programs. */
export function checkKustomization({
  value,
  problems,
  templateAt,
}: YamlDocument): readonly Refusal[] {
  if (templateAt !== undefined || (value === undefined && problems.length > 0)) return [];
  if (isRecord(value) && isOfOthers(value)) return [];
  if (value === undefined || value === null) return [isEmpty];
  const wrong = [...mismatches(value, kustomizationType, at)];
  return wrong.length > 0 || !isRecord(value) ? wrong : [...enforced(value)];
}

/** Why kustomize refuses a file of `configurations`. */
export function checkConfiguration({ value }: YamlDocument): readonly Refusal[] {
  return [...mismatches(value, configurationType, at)];
}

/** The first field, by name, whose value has the wrong type for a chart in a separate file; unknown fields are allowed. */
export function checkChartGenerator(generator: Fields): Refusal | undefined {
  const struct = "HelmChartInflationGeneratorPlugin";
  for (const field of Object.keys(generator).sort(compareText))
    for (const { name, fields } of [chartGlobalsType, chartType]) {
      const place = { path: [field], struct, fields: [name, field] };
      const type = Object.hasOwn(fields, field) ? fields[field] : undefined;
      if (type === undefined) continue;
      for (const wrong of mismatches(generator[field], type, place)) return wrong;
    }
  return undefined;
}

const isEmpty: Refusal = { path: [], message: "kustomization.yaml is empty" };

/** True for example for Flux's Kustomization, which is often in a file of this name. */
function isOfOthers({ apiVersion }: Fields): boolean {
  return (
    typeof apiVersion === "string" &&
    apiVersion.includes("/") &&
    !apiVersion.startsWith("kustomize.config.k8s.io/")
  );
}

function* enforced(root: Fields): Generator<Refusal> {
  const { kind, apiVersion, sortOptions } = root;
  const said = Object.entries(root).filter(
    ([name, value]) => name !== "kind" && name !== "apiVersion" && value !== null && value !== "",
  );
  if (said.length === 0) yield isEmpty;
  const isComponent = kind === "Component";
  if (kind && kind !== "Kustomization" && !isComponent)
    yield { path: ["kind"], message: "kind should be Kustomization or Component" };
  const wanted = `kustomize.config.k8s.io/${isComponent ? "v1alpha1" : "v1beta1"}`;
  if (apiVersion && apiVersion !== wanted) {
    const message = `apiVersion for ${kind || "Kustomization"} should be ${wanted}`;
    yield { path: ["apiVersion"], message };
  }
  if (!isRecord(sortOptions)) return;
  const { order, legacySortOptions } = sortOptions;
  if (order !== "fifo" && order !== "legacy") {
    const message = "the field 'sortOptions.order' must be one of [fifo, legacy]";
    const path = ["sortOptions", ...(order === undefined ? [] : ["order"])];
    yield { path, message, isOfRoot: true };
  }
  if (order === "fifo" && isRecord(legacySortOptions)) {
    const message =
      "the field 'sortOptions.legacySortOptions' is set but the selected sort order is 'fifo', not 'legacy'";
    yield { path: ["sortOptions", "legacySortOptions"], message, isOfRoot: true };
  }
}

/** Where a value belongs, in the form of Go's messages. */
interface Place {
  readonly path: Path;
  /** The innermost struct. */
  readonly struct: string;
  readonly fields: readonly string[];
}

const at: Place = { path: [], struct: "", fields: [] };

function* mismatches(value: unknown, type: GoType, place: Place): Generator<Refusal> {
  if (value === null || value === undefined || type === "any") return;
  if (typeof type === "string") {
    if (!isOf(value, type)) yield mismatch(value, type, place);
  } else if ("list" in type) {
    if (!Array.isArray(value)) yield mismatch(value, type, place);
    else
      for (const [index, item] of value.entries())
        yield* mismatches(item, type.list, { ...place, path: [...place.path, index] });
  } else if (!isRecord(value)) yield mismatch(value, type, place);
  else if ("map" in type)
    for (const [key, item] of Object.entries(value))
      yield* mismatches(item, type.map, { ...place, path: [...place.path, key] });
  else yield* unknownFields(value, type, place);
}

function* unknownFields(
  value: Fields,
  { name: struct, fields }: GoStruct,
  place: Place,
): Generator<Refusal> {
  for (const [name, item] of Object.entries(value)) {
    const path = [...place.path, name];
    const known = knownName(name, fields);
    const type = known === undefined ? undefined : fields[known];
    if (known === undefined || type === undefined)
      yield { path, message: `json: unknown field ${JSON.stringify(name)}` };
    else yield* mismatches(item, type, { path, struct, fields: [...place.fields, known] });
  }
}

function isOf(value: unknown, type: "string" | "int" | "int64" | "bool"): boolean {
  if (type === "string") return typeof value === "string";
  if (type === "bool") return typeof value === "boolean";
  return typeof value === "number" && Number.isInteger(value);
}

function mismatch(value: unknown, type: GoType, { path, struct, fields }: Place): Refusal {
  const into =
    struct === ""
      ? `Go value of type ${printed(type)}`
      : `Go struct field ${struct}.${fields.join(".")} of type ${printed(type)}`;
  return { path, message: `json: cannot unmarshal ${printedKind(value, type)} into ${into}` };
}

function printedKind(value: unknown, type: GoType): string {
  if (Array.isArray(value)) return "array";
  // Go only prints the number if a number is expected.
  if (typeof value === "number" && (type === "int" || type === "int64")) return `number ${value}`;
  if (typeof value === "boolean") return "bool";
  return isRecord(value) ? "object" : typeof value;
}

function printed(type: GoType): string {
  if (type === "any") return "interface {}";
  if (typeof type === "string") return type;
  if ("list" in type) return `[]${printed(type.list)}`;
  return "map" in type ? `map[string]${printed(type.map)}` : `types.${type.name}`;
}
