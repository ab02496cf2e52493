/**
 * Mounts and devices of containers. Upstream: pkg/apis/core/validation ValidateVolumeMounts, ValidateVolumeDevices,
 * GetVolumeMountMap, v1.36.
 */
import { asJson, type FieldErrors } from "../field-error.ts";
import type { FieldPath } from "../field-path.ts";
import { TextSet } from "../text-set.ts";
import type { Container, VolumeMount } from "../types.ts";
import type { UsableVolumes } from "./pod-volumes.ts";
import { validateDescendingPath } from "./volume-sources.ts";

const propagations: readonly string[] = ["Bidirectional", "HostToContainer", "None"];
const recursiveModes: readonly string[] = ["Disabled", "Enabled", "IfPossible"];

/** If a device is listed twice, its last path counts; likewise for a mount when devices are compared with mounts. */
export function validateVolumeMounts(
  container: Container,
  volumes: UsableVolumes,
  path: FieldPath,
  errors: FieldErrors,
): void {
  const mounts = container.volumeMounts;
  if (mounts === undefined) return;
  const devices = container.volumeDevices ?? [];
  const pathOf = new Map(devices.map(({ name, devicePath }) => [name, devicePath]));
  const devicePaths = new Set(pathOf.values());
  const seen = new TextSet();
  mounts.forEach((mount, index) => {
    const at = path.index(index);
    if (mount.name === "") errors.required(at.child("name"));
    if (!volumes.has(mount.name)) errors.notFound(at.child("name"), mount.name);
    if (mount.mountPath === "") errors.required(at.child("mountPath"));
    if (seen.has(mount.mountPath))
      errors.invalid(at.child("mountPath"), mount.mountPath, "must be unique");
    seen.add(mount.mountPath);
    if (pathOf.has(mount.name))
      errors.invalid(at.child("name"), mount.name, "must not already exist in volumeDevices");
    if (devicePaths.has(mount.mountPath)) {
      const detail = "must not already exist as a path in volumeDevices";
      errors.invalid(at.child("mountPath"), mount.mountPath, detail);
    }
    validateSubPath(mount, at, path, errors);
    validatePropagation(mount, container, path.child("mountPropagation"), errors);
    validateRecursiveReadOnly(mount, path.child("recursiveReadOnly"), errors);
  });
}

function validateSubPath(
  { subPath = "", subPathExpr = "" }: VolumeMount,
  path: FieldPath,
  listPath: FieldPath,
  errors: FieldErrors,
): void {
  if (subPath !== "") validateDescendingPath(subPath, listPath.child("subPath"), errors);
  if (subPathExpr === "") return;
  if (subPath !== "")
    errors.invalid(
      path.child("subPathExpr"),
      subPathExpr,
      "subPathExpr and subPath are mutually exclusive",
    );
  validateDescendingPath(subPathExpr, listPath.child("subPathExpr"), errors);
}

function validatePropagation(
  mount: VolumeMount,
  container: Container,
  path: FieldPath,
  errors: FieldErrors,
): void {
  const propagation = mount.mountPropagation;
  if (propagation === undefined) return;
  if (!propagations.includes(propagation))
    errors.notSupported(path, asJson(propagation), propagations);
  if (propagation === "Bidirectional" && container.securityContext?.privileged !== true) {
    errors.forbidden(
      path,
      "Bidirectional mount propagation is available only to privileged containers",
    );
  }
}

function validateRecursiveReadOnly(mount: VolumeMount, path: FieldPath, errors: FieldErrors): void {
  const mode = mount.recursiveReadOnly;
  if (mode === undefined || mode === "Disabled") return;
  if (!recursiveModes.includes(mode)) {
    errors.notSupported(path, asJson(mode), recursiveModes);
    return;
  }
  if (mount.readOnly !== true)
    errors.forbidden(path, "may only be specified when readOnly is true");
  if (mount.mountPropagation !== undefined && mount.mountPropagation !== "None") {
    errors.forbidden(path, "may only be specified when mountPropagation is None or not specified");
  }
}

export function validateVolumeDevices(
  container: Container,
  volumes: UsableVolumes,
  path: FieldPath,
  errors: FieldErrors,
): void {
  const devices = container.volumeDevices;
  if (devices === undefined) return;
  const mounts = container.volumeMounts ?? [];
  const pathOf = new Map(mounts.map(({ name, mountPath }) => [name, mountPath]));
  const mountPaths = new Set(pathOf.values());
  const names = new TextSet();
  const paths = new TextSet();
  devices.forEach(({ name, devicePath }, index) => {
    const at = path.index(index);
    const namePath = at.child("name");
    const devicePathPath = at.child("devicePath");
    const volume = volumes.get(name);
    if (name === "") errors.required(namePath);
    if (names.has(name)) errors.invalid(namePath, name, "must be unique");
    if (
      volume !== undefined &&
      volume.persistentVolumeClaim === undefined &&
      volume.ephemeral === undefined
    ) {
      errors.invalid(
        namePath,
        name,
        "can only use volume source type of PersistentVolumeClaim or Ephemeral for block mode",
      );
    }
    if (volume === undefined) errors.notFound(namePath, name);
    if (devicePath === "") errors.required(devicePathPath);
    if (paths.has(devicePath)) errors.invalid(devicePathPath, devicePath, "must be unique");
    if (devicePath.split("/").includes("..")) {
      errors.invalid(devicePathPath, devicePath, "can not contain backsteps ('..')");
    } else paths.add(devicePath);
    if (pathOf.has(name)) errors.invalid(namePath, name, "must not already exist in volumeMounts");
    if (mountPaths.has(devicePath)) {
      errors.invalid(
        devicePathPath,
        devicePath,
        "must not already exist as a path in volumeMounts",
      );
    }
    if (name !== "") names.add(name);
  });
}
