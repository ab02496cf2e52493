/**
 * Limits for lists, texts and numbers of custom resources, with the schema's errors. Upstream: gateway-api config/crd
 * referencegrants v1beta1, external-snapshotter client/config/crd v8; kube-openapi v1.36 pkg/validation/{validate,strfmt}.
 */
import type { FieldErrors } from "../field-error.ts";
import { goJson, goQuote } from "../go/text.ts";
import { readTimestamp } from "../go/timestamp-text.ts";

interface TextLimit {
  readonly lengthMin: number;
  readonly lengthMax: number;
  readonly pattern?: RegExp;
}

const name: TextLimit = { lengthMin: 1, lengthMax: 253 };
const group: TextLimit = {
  lengthMin: 0,
  lengthMax: 253,
  pattern: /^$|^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/,
};
const kind: TextLimit = {
  lengthMin: 1,
  lengthMax: 63,
  pattern: /^[a-zA-Z]([-a-zA-Z0-9]*[a-zA-Z0-9])?$/,
};
const namespace: TextLimit = {
  lengthMin: 1,
  lengthMax: 63,
  pattern: /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/,
};

/** The pattern that controller-gen writes for quantities. */
const size: TextLimit = {
  lengthMin: 0,
  lengthMax: Number.POSITIVE_INFINITY,
  pattern:
    /^(\+|-)?(([0-9]+(\.[0-9]*)?)|(\.[0-9]+))(([KMGTPE]i)|[numkMGTPE]|([eE](\+|-)?(([0-9]+(\.[0-9]*)?)|(\.[0-9]+))))?$/,
};

const texts: Readonly<Record<string, TextLimit>> = {
  "ReferenceGrantFrom.group": group,
  "ReferenceGrantFrom.kind": kind,
  "ReferenceGrantFrom.namespace": namespace,
  "ReferenceGrantTo.group": group,
  "ReferenceGrantTo.kind": kind,
  "ReferenceGrantTo.name": name,
  "VolumeSnapshotStatus.restoreSize": size,
};
const lists: ReadonlySet<string> = new Set(["ReferenceGrantSpec.from", "ReferenceGrantSpec.to"]);
const itemCountMin = 1;
const itemCountMax = 16;

/** How the schema's errors name a field. A status is validated by itself. */
export function inBody(path: string): string {
  return `${path.replace(/^status(\.|$)/, "")} in body`;
}

/** Upstream: field.Error.ErrorBody, for a value that was never decoded: a text, a number, or JSON. */
export function shown(value: unknown): string {
  return typeof value === "string" ? goQuote(value) : goJson(value);
}

/** `field` is the model with its field, `path` the place in the object. Only the first error of a text is reported. */
export function checkText(text: string, field: string, path: string, errors: FieldErrors): void {
  const limit = texts[field];
  if (limit === undefined) return;
  const length = [...text].length;
  const complain = (detail: string): void =>
    errors.raw(
      "FieldValueInvalid",
      path,
      `Invalid value: ${goQuote(text)}: ${inBody(path)} should ${detail}`,
    );
  if (length > limit.lengthMax) {
    const tooLong = `Too long: may not be more than ${limit.lengthMax} bytes`;
    errors.raw("FieldValueTooLong", path, tooLong);
  } else if (length < limit.lengthMin) complain(`be at least ${limit.lengthMin} chars long`);
  else if (limit.pattern?.test(text) === false) complain(`match '${limit.pattern.source}'`);
}

export function checkCount(count: number, field: string, path: string, errors: FieldErrors): void {
  if (!lists.has(field)) return;
  if (count < itemCountMin) {
    const text = `Invalid value: ${count}: ${inBody(path)} should have at least ${itemCountMin} items`;
    errors.raw("FieldValueInvalid", path, text);
  }
  if (count > itemCountMax) {
    const text = `Too many: ${count}: must have at most ${itemCountMax} items`;
    errors.raw("FieldValueTooMany", path, text);
  }
}

/**
 * The JSON types that a field accepts: a size may also be an integer. Upstream: ConvertJSONSchemaPropsWithPostProcess of
 * x-kubernetes-int-or-string.
 */
export function typesOf(field: string, jsonType: string): readonly string[] {
  return field === "VolumeSnapshotStatus.restoreSize" ? ["integer", "string"] : [jsonType];
}

/** The schema's format for types of these models. */
const formats: Readonly<Record<string, string>> = { time: "date-time", int64: "int64" };
/** The format that the server assumes for a value when it checks one. */
const numberFormats: Readonly<Record<string, string>> = { integer: "int64", number: "float64" };

/**
 * `got` is the JSON type of a value, `type` the model's type, `types` the JSON types that are accepted. Errors of a field with
 * a format name formats, and a list passes for a time. Upstream: kube-openapi v1.36
 * pkg/validation/validate/{type,schema_props}.go, IsValueValidAgainstRange.
 */
export function checkType(
  got: string,
  type: string,
  types: readonly string[],
  path: string,
  errors: FieldErrors,
): void {
  if (types.includes(got) || (type === "time" && got === "array")) return;
  const format = formats[type];
  const isNamed = format !== undefined && got !== "string" && got !== "array" && got !== "null";
  const complain = (wanted: string): void => {
    const found = isNamed ? (numberFormats[got] ?? "") : got;
    const text = `Invalid value: "${found}": ${inBody(path)} must be of type ${wanted}: "${found}"`;
    errors.raw("FieldValueTypeInvalid", path, text);
  };
  const field = path.slice(path.indexOf(".") + 1);
  const complainOfPart = (detail: string): void =>
    errors.raw("FieldValueInvalid", "status", `Invalid value: "": ${detail}`);
  complain(isNamed ? format : types.join(","));
  if (types.length > 1) {
    complainOfPart(`"${field}" must validate at least one schema (anyOf)`);
    complain("integer");
  }
  if (got !== "number" || !types.includes("integer")) return;
  const kept = format === undefined ? "(default format)" : `with format ${format}`;
  complainOfPart(`Checked value must be of type integer ${kept} in ${field}`);
}

export function checkNumber(value: number, field: string, path: string, errors: FieldErrors): void {
  if (field !== "VolumeSnapshotContentStatus.restoreSize" || value >= 0) return;
  const text = `Invalid value: ${value}: ${inBody(path)} should be greater than or equal to 0`;
  errors.raw("FieldValueInvalid", path, text);
}

const dateTime = /^(\d{4}-\d{2}-\d{2})t([01]\d|2[0-3]):[0-5]\d:[0-5]\d(.\d+)?(z|[+-]\d{2}:\d{2})$/;

/** Upstream: strfmt.IsDateTime. */
export function checkTime(text: string, path: string, errors: FieldErrors): void {
  const date = dateTime.exec(text.toLowerCase())?.[1];
  if (date !== undefined && "stored" in readTimestamp(`${date}T00:00:00Z`)) return;
  const quoted = goQuote(text);
  const message = `Invalid value: ${quoted}: ${inBody(path)} must be of type date-time: ${quoted}`;
  errors.raw("FieldValueTypeInvalid", path, message);
}
