/**
 * How long lists and texts of custom resources may be, and what texts and numbers look like. Upstream: gateway-api config/crd
 * referencegrants v1beta1, external-snapshotter client/config/crd v8; kube-openapi v1.36 pkg/validation/{validate,strfmt}.
 */
import { asJson, type FieldErrors } from "../field-error.ts";
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

/** A quantity, as controller-gen writes it. */
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

/** What the schema's texts call a place. A status is looked at by itself. */
export function inBody(path: string): string {
  return `${path.replace(/^status(\.|$)/, "")} in body`;
}

/** `field` is the model and its field, `path` where it stands. Only the first complaint about a text is made. */
export function checkText(text: string, field: string, path: string, errors: FieldErrors): void {
  const limit = texts[field];
  if (limit === undefined) return;
  const length = [...text].length;
  const complain = (detail: string): void =>
    errors.raw(
      "FieldValueInvalid",
      path,
      `Invalid value: ${asJson(text).json}: ${inBody(path)} should ${detail}`,
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

/** What a value may be: a size also a number. Upstream: ConvertJSONSchemaPropsWithPostProcess of x-kubernetes-int-or-string. */
export function typesOf(field: string, jsonType: string): readonly string[] {
  return field === "VolumeSnapshotStatus.restoreSize" ? ["integer", "string"] : [jsonType];
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
  const shown = asJson(text).json;
  const message = `Invalid value: ${shown}: ${inBody(path)} must be of type date-time: ${shown}`;
  errors.raw("FieldValueTypeInvalid", path, message);
}
