/**
 * Annotations of pods that are validated. Upstream: pkg/apis/core/validation ValidatePodSpecificAnnotations,
 * ValidatePodSpecificAnnotationUpdates, validateSeccompAnnotationsAndFields, validateAppArmorAnnotationsAndFieldsMatchOnCreate,
 * pkg/apis/core/helper GetTolerationsFromPodAnnotations, v1.36.
 */
import { containerAppArmor, containerSeccomp, mirrorPod, podSeccomp } from "../annotation-keys.ts";
import type { FieldErrors } from "../field-error.ts";
import type { FieldPath } from "../field-path.ts";
import { goQuote } from "../go/text.ts";
import { sortedKeys } from "../go/text-order.ts";
import { type Shape, unmarshal } from "../go/unmarshal.ts";
import { containersOf, visitContainers } from "../pod-containers.ts";
import type { PodSpec, Toleration } from "../types.ts";
import { validateTolerations } from "./scheduling.ts";
import { validateDescendingPath } from "./volume-sources.ts";

export type Annotations = Readonly<Record<string, string>>;

export const deletionCost = "controller.kubernetes.io/pod-deletion-cost";
const int32Max = 2_147_483_647;
const tolerationsKey = "scheduler.alpha.kubernetes.io/tolerations";

/** The server's internal type, whose fields have no JSON names. */
const tolerations: Shape = {
  type: "[]core.Toleration",
  items: {
    type: "core.Toleration",
    fields: {
      Key: { type: "string", is: "string" },
      Operator: { type: "core.TolerationOperator", is: "string" },
      Value: { type: "string", is: "string" },
      Effect: { type: "core.TaintEffect", is: "string" },
      TolerationSeconds: { type: "int64", is: "integer" },
    },
  },
};

export function validatePodAnnotations(
  annotations: Annotations,
  spec: PodSpec,
  path: FieldPath,
  errors: FieldErrors,
): void {
  const mirrored = annotations[mirrorPod];
  if (mirrored !== undefined && (spec.nodeName ?? "") === "") {
    errors.invalid(
      path.key(mirrorPod),
      mirrored,
      "must set spec.nodeName if mirror pod annotation is set",
    );
  }
  validateTolerationText(annotations[tolerationsKey] ?? "", path, errors);
  const cost = annotations[deletionCost];
  if (cost !== undefined && !isInt32(cost) && !errors.flaws.has("deletionCost"))
    errors.invalid(path.key(deletionCost), cost, "must be a 32bit integer");
  const ofPod = annotations[podSeccomp];
  if (ofPod !== undefined) validateSeccompName(ofPod, path.child(podSeccomp), errors);
  for (const key of sortedKeys(annotations)) {
    if (key.startsWith(containerSeccomp))
      validateSeccompName(annotations[key] ?? "", path.child(key), errors);
  }
  const appArmorKeys = sortedKeys(annotations).filter((key) => key.startsWith(containerAppArmor));
  if (appArmorKeys.length === 0) return;
  const names = new Set(containersOf(spec).map(({ name }) => name));
  for (const key of appArmorKeys)
    validateAppArmor(key, annotations[key] ?? "", names, path.key(key), errors);
}

interface TolerationText {
  readonly Key?: string;
  readonly Operator?: string;
  readonly Value?: string;
  readonly Effect?: string;
  readonly TolerationSeconds?: number;
}

/** Nothing acts on this annotation any more. */
function validateTolerationText(json: string, path: FieldPath, errors: FieldErrors): void {
  if (json === "") return;
  const read = unmarshal(json, tolerations);
  if (!read.ok) {
    errors.invalid(path, tolerationsKey, read.error);
    return;
  }
  const list = (read.value ?? []) as readonly (TolerationText | undefined)[];
  validateTolerations(list.map(asToleration), path.child(tolerationsKey), errors);
}

function asToleration(toleration: TolerationText | undefined): Toleration {
  const { Key = "", Operator = "", Value = "", Effect = "" } = toleration ?? {};
  const seconds = toleration?.TolerationSeconds;
  return {
    key: Key,
    operator: Operator,
    value: Value,
    effect: Effect,
    ...(seconds !== undefined && { tolerationSeconds: seconds }),
  };
}

/** True for a 32-bit integer without a plus sign and, unless it is negative, without leading zeros. */
export function isInt32(text: string): boolean {
  return (
    /^(0|-\d+|[1-9]\d*)$/.test(text) && Number(text) <= int32Max && Number(text) >= -int32Max - 1
  );
}

function validateSeccompName(name: string, path: FieldPath, errors: FieldErrors): void {
  if (["runtime/default", "docker/default", "unconfined"].includes(name)) return;
  if (name.startsWith("localhost/"))
    validateDescendingPath(name.slice("localhost/".length), path, errors);
  else errors.invalid(path, name, "must be a valid seccomp profile");
}

function validateAppArmor(
  key: string,
  profile: string,
  names: ReadonlySet<string>,
  path: FieldPath,
  errors: FieldErrors,
): void {
  const name = key.slice(containerAppArmor.length);
  if (!names.has(name)) errors.invalid(path, name, "container not found");
  const isKnown = ["", "runtime/default", "unconfined"].includes(profile);
  if (!isKnown && !profile.startsWith("localhost/"))
    errors.invalid(path, profile, `invalid AppArmor profile name: ${goQuote(profile)}`);
}

interface Profile {
  readonly type: string;
  readonly localhostProfile?: string;
}

/** A profile that is given both as an annotation and as a field must be the same. */
export function validateProfilesMatch(
  annotations: Annotations,
  spec: PodSpec,
  path: FieldPath,
  errors: FieldErrors,
): void {
  const match = (
    what: "seccomp" | "apparmor",
    key: string,
    profile: Profile | undefined,
    at: FieldPath,
  ): void => {
    const annotation = annotations[key];
    if (annotation !== undefined && profile !== undefined)
      validateMatch(what, annotation, profile, at, errors);
  };
  if (!namesProfiles(annotations)) return;
  const own = spec.securityContext;
  const context = path.child("securityContext");
  match("seccomp", podSeccomp, own?.seccompProfile, context.child("seccompProfile"));
  visitContainers(spec, path, ({ name, securityContext }, at) => {
    const place = at.child("securityContext").child("seccompProfile");
    match("seccomp", `${containerSeccomp}${name}`, securityContext?.seccompProfile, place);
  });
  if (spec.os?.name === "windows") return;
  visitContainers(spec, path, ({ name, securityContext }, at) => {
    const place = at.child("securityContext").child("appArmorProfile");
    const profile = securityContext?.appArmorProfile ?? own?.appArmorProfile;
    match("apparmor", `${containerAppArmor}${name}`, profile, place);
  });
}

/** True if an annotation names a profile. Few do, so that most pods need no look at their containers. */
export function namesProfiles(annotations: Annotations): boolean {
  for (const key in annotations)
    if (key === podSeccomp || key.startsWith(containerSeccomp) || key.startsWith(containerAppArmor))
      return true;
  return false;
}

function validateMatch(
  what: "seccomp" | "apparmor",
  annotation: string,
  { type, localhostProfile }: Profile,
  path: FieldPath,
  errors: FieldErrors,
): void {
  const prefix = "localhost/";
  const isOfType =
    type === "Unconfined"
      ? annotation === "unconfined"
      : type === "RuntimeDefault"
        ? annotation === "runtime/default" ||
          (what === "seccomp" && annotation === "docker/default")
        : type !== "Localhost" || annotation.startsWith(prefix);
  if (!isOfType)
    errors.forbidden(path.child("type"), `${what} type in annotation and field must match`);
  else if (type === "Localhost" && annotation.slice(prefix.length) !== localhostProfile)
    errors.forbidden(
      path.child("localhostProfile"),
      `${what} profile in annotation and field must match`,
    );
}

/** Refuses changes to annotations that the kubelet has already read. */
export function validateAnnotationsKept(
  next: Annotations,
  old: Annotations,
  path: FieldPath,
  errors: FieldErrors,
): void {
  for (const key of sortedKeys(old)) {
    if (next[key] === old[key]) continue;
    if (key.startsWith(containerAppArmor))
      errors.forbidden(path.key(key), "may not remove or update AppArmor annotations");
    if (key === mirrorPod)
      errors.forbidden(path.key(key), "may not remove or update mirror pod annotation");
  }
  for (const key of sortedKeys(next)) {
    if (old[key] !== undefined) continue;
    if (key.startsWith(containerAppArmor))
      errors.forbidden(path.key(key), "may not add AppArmor annotations");
    if (key === mirrorPod) errors.forbidden(path.key(key), "may not add mirror pod annotation");
  }
}
