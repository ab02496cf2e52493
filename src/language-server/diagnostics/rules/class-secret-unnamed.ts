/** A class names no Secret for a driver that needs one. */
import { wantedSecret } from "../../../engine/csi/catalogue/secret-needs.ts";
import {
  defaultSecretKeys,
  type SecretKeys,
  type SecretUse,
  secretKeys,
  snapshotSecretKeys,
  usesOfGrowth,
} from "../../../engine/csi/catalogue/sidecar-parameters.ts";
import { type Fields, fieldsAt, textAt } from "../../workspace/manifest-fields.ts";
import { objectRule } from "../object-rule.ts";
import type { DocumentRule } from "../rule.ts";

export const classSecretUnnamed: DocumentRule = objectRule(
  "class-secret-unnamed",
  "warning",
  {
    kinds: ["StorageClass", "VolumeSnapshotClass"],
    yieldsTo: [
      ...["claim-stays-pending", "claim-stays-unchanged", "pod-does-not-start"],
      ...["snapshot-not-ready", "class-reserved-parameter", "class-secret-half"],
    ],
  },
  function* ({ kind, value }, { drivers }) {
    const field = kind === "StorageClass" ? "provisioner" : "driver";
    const driver = textAt(value, field) ?? "";
    const traits = drivers.find(driver)?.traits;
    if (traits === undefined) return;
    const parameters = textsIn(fieldsAt(value, "parameters"));
    // Without any parameters, only manually created volumes can use the class.
    if (kind === "StorageClass" && Object.keys(parameters).length === 0) return;
    const missed = wantsOf(kind, value).flatMap(({ use, keys, purpose }) => {
      const text = wantedSecret(traits, use, parameters);
      const isNamed = keys.some(({ names, namespaces }) =>
        [...names, ...namespaces].some((key) => key in parameters),
      );
      return text === undefined || isNamed ? [] : [{ text, purpose, key: keys[0]?.names[0] }];
    });
    const [first] = missed;
    if (first === undefined) return;
    const purposes = missed.map(({ purpose }) => purpose).join(" and ");
    yield {
      path: [field],
      message: `${driver} needs a Secret to ${purposes}, but the class names none (\`${first.key}\`): ${first.text}`,
    };
  },
);

interface Want {
  readonly use: SecretUse | "snapshotter";
  readonly purpose: string;
  readonly keys: readonly SecretKeys[];
}

const ofVolumes = {
  provisioner: "create volumes",
  nodeStage: "stage them",
  nodePublish: "mount them",
  controllerExpand: "expand them",
  nodeExpand: "expand their file systems",
} as const satisfies Partial<Record<SecretUse, string>>;

function wantsOf(kind: string, value: Fields): readonly Want[] {
  if (kind === "VolumeSnapshotClass")
    return [
      { use: "snapshotter", purpose: "take snapshots", keys: [snapshotSecretKeys.snapshotter] },
    ];
  const uses = Object.keys(ofVolumes) as (keyof typeof ofVolumes)[];
  return uses
    .filter((use) => !usesOfGrowth.has(use) || value["allowVolumeExpansion"] === true)
    .map((use) => ({
      ...{ use, purpose: ofVolumes[use] },
      keys: [secretKeys[use], defaultSecretKeys],
    }));
}

function textsIn(fields: Fields): Readonly<Record<string, string>> {
  const texts = Object.entries(fields).filter(([, text]) => typeof text === "string");
  return Object.fromEntries(texts) as Record<string, string>;
}
