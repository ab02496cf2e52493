/**
 * CSIDriver, CSINode, CSIStorageCapacity. Upstream: pkg/apis/storage/validation ValidateCSIDriver, ValidateCSINode,
 * ValidateCSIStorageCapacity and their updates; pkg/apis/core/validation ValidateCSIDriverName, v1.36.
 */
import { asJson, type FieldErrors } from "../field-error.ts";
import { FieldPath, specPath } from "../field-path.ts";
import { goStruct } from "../go/struct.ts";
import { byteLength } from "../go/text.ts";
import { checkLabelKey, checkSubdomain } from "../names/names.ts";
import { quantityOrZero } from "../quantity.ts";
import { semanticEqual } from "../semantic-equal.ts";
import type {
  CSIDriver,
  CSIDriverSpec,
  CSINode,
  CSINodeDriver,
  CSIStorageCapacity,
  TokenRequest,
} from "../types.ts";
import { validateMetaUpdate, validateObjectMeta } from "./object-meta.ts";
import { validateNonNegativeQuantity } from "./resources.ts";
import { selectorValue, validateRatchetedSelector } from "./selectors.ts";

const driverNameBytesMax = 63;
const nodeIdBytesMax = 256;
const tokenSecondsMin = 600;
const tokenSecondsMax = 2 ** 32;
const updatePeriodSecondsMin = 10;

const fsGroupPolicies: readonly string[] = ["File", "None", "ReadWriteOnceWithFSType"];
const lifecycleModes: readonly string[] = ["Persistent", "Ephemeral"];

/** Capital letters are accepted. */
export function validateCsiDriverName(name: string, path: FieldPath, errors: FieldErrors): void {
  if (name === "") {
    errors.required(path);
    return;
  }
  if (byteLength(name) > driverNameBytesMax) errors.tooLong(path, driverNameBytesMax);
  errors.invalidEach(path, name, checkSubdomain(name.toLowerCase()));
}

/** True if validateCsiDriverName accepts the name. */
export function isCsiDriverName(name: string): boolean {
  return (
    name !== "" &&
    byteLength(name) <= driverNameBytesMax &&
    checkSubdomain(name.toLowerCase()).length === 0
  );
}

export function validateCsiDriver(driver: CSIDriver, errors: FieldErrors): void {
  validateObjectMeta(driver.metadata, checkSubdomain, errors);
  validateDriverSpec(driver.spec, errors);
}

export function validateCsiDriverUpdate(
  next: CSIDriver,
  old: CSIDriver,
  errors: FieldErrors,
): void {
  validateMetaUpdate(next.metadata, old.metadata, errors);
  validateDriverSpec(next.spec, errors);
  if (next.spec.attachRequired !== old.spec.attachRequired) {
    errors.invalid(
      specPath.child("attachedRequired"),
      asJson(next.spec.attachRequired),
      "field is immutable",
    );
  }
  if (!semanticEqual(next.spec.volumeLifecycleModes, old.spec.volumeLifecycleModes)) {
    errors.invalid(
      specPath.child("volumeLifecycleModes"),
      asJson(next.spec.volumeLifecycleModes),
      "field is immutable",
    );
  }
}

function validateDriverSpec(spec: CSIDriverSpec, errors: FieldErrors): void {
  const { fsGroupPolicy, nodeAllocatableUpdatePeriodSeconds: period } = spec;
  if (fsGroupPolicy !== undefined && !fsGroupPolicies.includes(fsGroupPolicy)) {
    errors.notSupported(specPath.child("fsGroupPolicy"), asJson(fsGroupPolicy), fsGroupPolicies);
  }
  validateTokenRequests(spec.tokenRequests ?? [], specPath.child("tokenRequests"), errors);
  for (const mode of spec.volumeLifecycleModes ?? []) {
    if (!lifecycleModes.includes(mode))
      errors.notSupported(specPath.child("volumeLifecycleModes"), asJson(mode), lifecycleModes);
  }
  if (period !== undefined && period < updatePeriodSecondsMin) {
    errors.invalid(
      specPath.child("nodeAllocatableUpdatePeriodSeconds"),
      period,
      "must be greater than or equal to 10 seconds",
    );
  }
  if (spec.serviceAccountTokenInSecrets !== undefined && (spec.tokenRequests ?? []).length === 0) {
    errors.invalid(
      specPath.child("serviceAccountTokenInSecrets"),
      spec.serviceAccountTokenInSecrets,
      "serviceAccountTokenInSecrets is set but no tokenRequests are specified",
    );
  }
}

function validateTokenRequests(
  requests: readonly TokenRequest[],
  path: FieldPath,
  errors: FieldErrors,
): void {
  const audiences = new Set<string>();
  requests.forEach(({ audience, expirationSeconds }, index) => {
    const at = path.index(index);
    if (audiences.has(audience)) {
      errors.duplicate(at.child("audience"), audience);
      return;
    }
    audiences.add(audience);
    if (expirationSeconds === undefined) return;
    const expirationPath = at.child("expirationSeconds");
    if (expirationSeconds < tokenSecondsMin) {
      errors.invalid(
        expirationPath,
        expirationSeconds,
        "may not specify a duration less than 10 minutes",
      );
    }
    if (expirationSeconds > tokenSecondsMax) {
      errors.invalid(
        expirationPath,
        expirationSeconds,
        "may not specify a duration larger than 2^32 seconds",
      );
    }
  });
}

export function validateCsiNode(node: CSINode, errors: FieldErrors): void {
  validateObjectMeta(node.metadata, checkSubdomain, errors);
  validateNodeDrivers(node.spec.drivers ?? [], specPath.child("drivers"), errors);
}

/** A driver that stays in the list may change only its allocatable count. */
export function validateCsiNodeUpdate(next: CSINode, old: CSINode, errors: FieldErrors): void {
  validateCsiNode(next, errors);
  for (const before of old.spec.drivers ?? []) {
    for (const driver of next.spec.drivers ?? []) {
      if (driver.name !== before.name) continue;
      if (semanticEqual(withoutAllocatable(driver), withoutAllocatable(before))) continue;
      errors.invalid(
        specPath.child("drivers"),
        asJson(goStruct("CSINodeDriver", withoutAllocatable(driver))),
        "field is immutable",
      );
    }
  }
}

function withoutAllocatable({ name, nodeID, topologyKeys }: CSINodeDriver): unknown {
  return { name, nodeID, ...(topologyKeys !== undefined && { topologyKeys }) };
}

function validateNodeDrivers(
  drivers: readonly CSINodeDriver[],
  path: FieldPath,
  errors: FieldErrors,
): void {
  const names = new Set<string>();
  drivers.forEach((driver, index) => {
    const at = path.index(index);
    validateCsiDriverName(driver.name, at.child("name"), errors);
    if (driver.nodeID === "") errors.required(at.child("nodeID"));
    else if (byteLength(driver.nodeID) > nodeIdBytesMax) {
      errors.invalid(
        at.child("nodeID"),
        driver.nodeID,
        `must be ${nodeIdBytesMax} characters or less`,
      );
    }
    const count = driver.allocatable?.count;
    if (count !== undefined && count < 0) {
      errors.invalid(
        at.child("allocatable").child("count"),
        count,
        "must be greater than or equal to 0",
      );
    }
    if (names.has(driver.name)) errors.duplicate(at.child("name"), driver.name);
    names.add(driver.name);
    validateTopologyKeys(driver.topologyKeys ?? [], at, errors);
  });
}

/** Reports all errors at the driver's own path. */
function validateTopologyKeys(keys: readonly string[], path: FieldPath, errors: FieldErrors): void {
  const seen = new Set<string>();
  for (const key of keys) {
    if (key === "") errors.required(path);
    if (seen.has(key)) errors.duplicate(path, key);
    seen.add(key);
    errors.invalidEach(path, key, checkLabelKey(key));
  }
}

const storageClassNamePath = new FieldPath("storageClassName");
const nodeTopologyPath = new FieldPath("nodeTopology");
const capacityPath = new FieldPath("capacity");

export function validateCsiStorageCapacity(
  capacity: CSIStorageCapacity,
  errors: FieldErrors,
): void {
  validateObjectMeta(capacity.metadata, checkSubdomain, errors);
  validateRatchetedSelector(capacity.nodeTopology, nodeTopologyPath, errors);
  errors.invalidEach(
    storageClassNamePath,
    capacity.storageClassName,
    checkSubdomain(capacity.storageClassName),
  );
  if (capacity.capacity !== undefined)
    validateNonNegativeQuantity(quantityOrZero(capacity.capacity), capacityPath, errors);
}

export function validateCsiStorageCapacityUpdate(
  next: CSIStorageCapacity,
  old: CSIStorageCapacity,
  errors: FieldErrors,
): void {
  validateCsiStorageCapacity(next, errors);
  validateMetaUpdate(next.metadata, old.metadata, errors);
  if (!semanticEqual(next.nodeTopology, old.nodeTopology)) {
    errors.invalid(nodeTopologyPath, selectorValue(next.nodeTopology), "field is immutable");
  }
  if (next.storageClassName !== old.storageClassName) {
    errors.invalid(storageClassNamePath, next.storageClassName, "field is immutable");
  }
}
