/**
 * How long lists and texts of custom resources may be, and what texts look like. Of the kinds served, only ReferenceGrant
 * says so. Upstream: gateway-api config/crd referencegrants v1beta1; kube-openapi v1.36 pkg/validation/validate.
 */
import { asJson, type FieldErrors } from "../field-error.ts";

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

const texts: Readonly<Record<string, TextLimit>> = {
  "ReferenceGrantFrom.group": group,
  "ReferenceGrantFrom.kind": kind,
  "ReferenceGrantFrom.namespace": namespace,
  "ReferenceGrantTo.group": group,
  "ReferenceGrantTo.kind": kind,
  "ReferenceGrantTo.name": name,
};
const lists: ReadonlySet<string> = new Set(["ReferenceGrantSpec.from", "ReferenceGrantSpec.to"]);
const itemCountMin = 1;
const itemCountMax = 16;

/** `field` is the model and its field, `path` where it stands. Only the first complaint about a text is made. */
export function checkText(text: string, field: string, path: string, errors: FieldErrors): void {
  const limit = texts[field];
  if (limit === undefined) return;
  const length = [...text].length;
  const complain = (detail: string): void =>
    errors.raw(
      "FieldValueInvalid",
      path,
      `Invalid value: ${asJson(text).json}: ${path} in body should ${detail}`,
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
    const text = `Invalid value: ${count}: ${path} in body should have at least ${itemCountMin} items`;
    errors.raw("FieldValueInvalid", path, text);
  }
  if (count > itemCountMax) {
    const text = `Too many: ${count}: must have at most ${itemCountMax} items`;
    errors.raw("FieldValueTooMany", path, text);
  }
}
