/** Which field names a missing Secret that a volume is attached or mounted with. */
import { type KubeObject, makeRef, refOf } from "../../api/meta.ts";
import { effectiveClassName } from "../../api/storage-class-name.ts";
import {
  defaultSecretKeys,
  type SecretUse,
  secretKeys,
} from "../../csi/catalogue/sidecar-parameters.ts";
import { annotation, hasAnnotation } from "../../matching/annotations.ts";
import type { RunFacts } from "../run-facts.ts";
import type { Fix, Place } from "../verdict.ts";

type Volume = KubeObject<"PersistentVolume">;

/** The field that names the missing Secret; undefined for other messages, and for inline volumes of pods. */
export function missingSecret(
  facts: RunFacts,
  message: string,
  volumeName: string,
): { readonly root: Place; readonly fixes: readonly Fix[] } | undefined {
  const secret = secretIn(message);
  const volume = facts.get("PersistentVolume", undefined, volumeName);
  if (secret === undefined || volume === undefined) return undefined;
  const { use, namespace, name } = secret;
  const isInTree = volume.spec.azureFile !== undefined;
  const field = isInTree ? "spec.azureFile.secretName" : `spec.csi.${use}SecretRef`;
  return {
    root: placeInClass(facts, volume, use) ?? { ref: refOf(volume), field },
    fixes: [{ text: `make Secret "${name}" in namespace "${namespace}", or correct the name` }],
  };
}

/**
 * `fetching NodeStageSecretRef shop/key failed: …`, `failed to load secret "shop/key": …`. Upstream: pkg/volume/csi
 * csi_attacher.go, csi_mounter.go v1.36; external-attacher pkg/controller/csi_handler.go.
 */
function secretIn(
  message: string,
): { readonly use: SecretUse; readonly namespace: string; readonly name: string } | undefined {
  const [, step, namespace = "", name = ""] =
    /\bNode(Stage|Publish|Expand)SecretRef ([^\s/]*)\/([^\s:]*)/.exec(message) ??
    /(?:^|: )(failed to load secret) "([^"/]*)\/([^"]*)": /.exec(message) ??
    [];
  if (step === undefined) return undefined;
  const use = steps.get(step) ?? "controllerPublish";
  return { use, namespace, name };
}

const steps: ReadonlyMap<string, SecretUse> = new Map([
  ["Stage", "nodeStage"],
  ["Publish", "nodePublish"],
  ["Expand", "nodeExpand"],
]);

/** The class's parameter that the provisioner copied the name from; undefined if the volume is not provisioned by a class. */
function placeInClass(facts: RunFacts, volume: Volume, use: SecretUse): Place | undefined {
  if (!hasAnnotation(volume, annotation.provisionedBy)) return undefined;
  const className = effectiveClassName(volume);
  const { parameters = {} } = facts.get("StorageClass", undefined, className) ?? {};
  const keys = [...secretKeys[use].names, ...defaultSecretKeys.names];
  const key = keys.find((name) => name in parameters);
  if (key === undefined) return undefined;
  return { ref: makeRef("StorageClass", undefined, className), field: `parameters[${key}]` };
}
