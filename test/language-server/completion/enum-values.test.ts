/** The values that completion offers match those that the API server lists when it refuses another value. */
import assert from "node:assert/strict";
import { parse } from "yaml";
import { mergePatch } from "../../../src/engine/api/json.ts";
import { enumValues } from "../../../src/language-server/completion/enum-values.ts";
import { create, refusal } from "../../engine/api/answer.ts";
import { goodObjects } from "../../engine/api/good-objects.ts";

const container = "name: c, image: i";
const mount = "name: v, mountPath: /v";

/** By field: the kind of a valid object and the patch for it; `X` stands for the value. */
const places: Readonly<Record<string, string>> = {
  "PersistentVolumeClaimSpec.accessModes": "PersistentVolumeClaim spec: { accessModes: [X] }",
  "PersistentVolumeSpec.accessModes": "PersistentVolume spec: { accessModes: [X] }",
  "PersistentVolumeClaimSpec.volumeMode": "PersistentVolumeClaim spec: { volumeMode: X }",
  "PersistentVolumeSpec.volumeMode": "PersistentVolume spec: { volumeMode: X }",
  "PersistentVolumeSpec.persistentVolumeReclaimPolicy":
    "PersistentVolume spec: { persistentVolumeReclaimPolicy: X }",
  "StorageClass.reclaimPolicy": "StorageClass reclaimPolicy: X",
  "StorageClass.volumeBindingMode": "StorageClass volumeBindingMode: X",
  "HostPathVolumeSource.type":
    "Pod spec: { volumes: [{ name: h, hostPath: { path: /h, type: X } }] }",
  "VolumeMount.mountPropagation": `Pod spec: { containers: [{ ${container}, volumeMounts: [{ ${mount}, mountPropagation: X }] }] }`,
  "VolumeMount.recursiveReadOnly": `Pod spec: { containers: [{ ${container}, volumeMounts: [{ ${mount}, readOnly: true, recursiveReadOnly: X }] }] }`,
  "PodSpec.restartPolicy": "Pod spec: { restartPolicy: X }",
  "PodSpec.dnsPolicy": "Pod spec: { dnsPolicy: X }",
  "PodSecurityContext.fsGroupChangePolicy":
    "Pod spec: { securityContext: { fsGroupChangePolicy: X } }",
  "Container.imagePullPolicy": `Pod spec: { containers: [{ ${container}, imagePullPolicy: X }] }`,
  "DeploymentStrategy.type": "Deployment spec: { strategy: { type: X, rollingUpdate: null } }",
  "StatefulSetSpec.podManagementPolicy": "StatefulSet spec: { podManagementPolicy: X }",
  "StatefulSetUpdateStrategy.type":
    "StatefulSet spec: { updateStrategy: { type: X, rollingUpdate: null } }",
  "DaemonSetUpdateStrategy.type":
    "DaemonSet spec: { updateStrategy: { type: X, rollingUpdate: null } }",
  "StatefulSetPersistentVolumeClaimRetentionPolicy.whenDeleted":
    "StatefulSet spec: { persistentVolumeClaimRetentionPolicy: { whenDeleted: X, whenScaled: Retain } }",
  "StatefulSetPersistentVolumeClaimRetentionPolicy.whenScaled":
    "StatefulSet spec: { persistentVolumeClaimRetentionPolicy: { whenDeleted: Retain, whenScaled: X } }",
  "CronJobSpec.concurrencyPolicy": "CronJob spec: { concurrencyPolicy: X }",
  "CSIDriverSpec.fsGroupPolicy": "CSIDriver spec: { fsGroupPolicy: X }",
  "CSIDriverSpec.volumeLifecycleModes": "CSIDriver spec: { volumeLifecycleModes: [X] }",
  "VolumeSnapshotClass.deletionPolicy": "VolumeSnapshotClass deletionPolicy: X",
  "VolumeSnapshotContentSpec.deletionPolicy": "VolumeSnapshotContent spec: { deletionPolicy: X }",
  "LabelSelectorRequirement.operator":
    "PersistentVolumeClaim spec: { selector: { matchExpressions: [{ key: k, operator: X }] } }",
  "NodeSelectorRequirement.operator":
    "PersistentVolume spec: { nodeAffinity: { required: { nodeSelectorTerms: [{ matchExpressions: [{ key: k, operator: X }] }] } } }",
  "Taint.effect": "Node spec: { taints: [{ key: k, effect: X }] }",
  "Toleration.effect": "Pod spec: { tolerations: [{ key: k, operator: Exists, effect: X }] }",
  "Toleration.operator": "Pod spec: { tolerations: [{ key: k, operator: X }] }",
};

/** The API server's refusal of the object with that value. */
function answer(place: string, value: string): string {
  const [kind, ...rest] = place.split(" ");
  const good = goodObjects.find((object) => object.kind === kind);
  const change = parse(rest.join(" ").replace(/\bX\b/, value));
  return refusal(create(JSON.stringify(mergePatch(good, change))));
}

/** The values that the refusal lists as valid; empty if it lists none. */
function listed(refused: string): readonly string[] {
  const [, list = ""] = /(?:supported values:|must be) (.*)$/m.exec(refused) ?? [];
  return [...list.matchAll(/["'](\w+)["']/g)].map(([, value = ""]) => value);
}

suite("values of enum fields", () => {
  for (const [field, place] of Object.entries(places))
    test(`${field}: completion offers the values that the API server accepts`, () => {
      const offered = enumValues[field] ?? [];
      const refused = answer(place, "Sometimes");
      assert.match(refused, /Sometimes/);
      const known = listed(refused);
      if (known.length > 0) assert.deepEqual([...offered].sort(), [...known].sort());
      for (const value of offered)
        assert.doesNotMatch(
          answer(place, value),
          /Unsupported value|must be '|not a valid selector operator/,
        );
    });
});
