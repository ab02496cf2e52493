/** Fields of manually created volumes that do something else than they seem to. */
import { knownDriver } from "../../../engine/csi/catalogue/catalogue.ts";
import { annotation } from "../../../engine/matching/annotations.ts";
import { type Fields, fieldsAt, itemsOf, listAt, textAt } from "../../workspace/manifest-fields.ts";
import { isRecycledInVain } from "../facts/recycled-volume.ts";
import { objectRule } from "../object-rule.ts";
import type { DocumentRule } from "../rule.ts";

const kinds = ["PersistentVolume"] as const;
const policyPath = ["spec", "persistentVolumeReclaimPolicy"];

export const pvClaimrefUid: DocumentRule = objectRule(
  "pv-claimref-uid",
  "warning",
  { kinds, yieldsTo: ["pv-released"] },
  function* ({ value }) {
    const path = ["spec", "claimRef", "uid"];
    if ((textAt(value, ...path) ?? "") === "") return;
    yield {
      path,
      message: `The UID changes when the claim is recreated; the volume then becomes Released${lossOf(value)}`,
      fix: { title: "Remove uid", path, value: null },
    };
  },
);

/** What the volume's reclaim policy does to its data once it is Released. */
function lossOf(value: Fields): string {
  const policy = textAt(value, ...policyPath);
  if (policy === "Recycle") return isRecycledInVain(value) ? "" : ", and Recycle wipes its files";
  const owner = fieldsAt(value, "metadata", "annotations")[annotation.provisionedBy];
  return policy === "Delete" && (owner ?? deleterOf(value)) !== undefined
    ? ", and Delete has its storage deleted, with all data"
    : "";
}

export const pvDeleteStatic: DocumentRule = objectRule(
  "pv-delete-static",
  "warning",
  { kinds, yieldsTo: ["volume-unusable"], yieldsAtPlace: true },
  function* ({ value }) {
    const owner = fieldsAt(value, "metadata", "annotations")[annotation.provisionedBy];
    if (textAt(value, ...policyPath) !== "Delete" || owner !== undefined) return;
    const driver = deleterOf(value);
    yield {
      path: policyPath,
      message:
        driver === undefined
          ? "No provisioner owns this volume; deletion will not remove the backing storage and the volume stays Released or Failed"
          : `Once its claim is deleted, the provisioner of “${driver}” deletes the storage behind this volume, which it has not made`,
      fix: { title: "Change to Retain", path: policyPath, value: "Retain" },
    };
  },
);

/**
 * The CSI driver whose provisioner deletes any volume of that driver. Upstream: sig-storage-lib-external-provisioner v13
 * controller/controller.go isProvisionerForVolume.
 */
function deleterOf(value: Fields): string | undefined {
  const driver = textAt(value, "spec", "csi", "driver");
  const makesNone = driver !== undefined && knownDriver(driver)?.traits.hasController === false;
  return makesNone ? undefined : driver;
}

export const pvRecycleSource: DocumentRule = objectRule(
  "pv-recycle-source",
  "error",
  { kinds },
  function* ({ value }) {
    if (!isRecycledInVain(value)) return;
    yield {
      path: policyPath,
      message: "Recycle works only for nfs and hostPath",
      fix: { title: "Change to Retain", path: policyPath, value: "Retain" },
    };
  },
);

/** Labels whose value differs for each node, by convention. */
const nodeKey = /(?:^|[/.-])(?:hostname|node|nodename|node-name|nodeid|name)$/i;

export const localAffinityNotHost: DocumentRule = objectRule(
  "local-affinity-not-host",
  "warning",
  { kinds },
  function* ({ value }) {
    if (textAt(value, "spec", "local", "path") === undefined) return;
    const path = ["spec", "nodeAffinity", "required", "nodeSelectorTerms"];
    const terms = itemsOf(listAt(value, ...path), path);
    if (terms.length === 0) return;
    const hosts = new Set(terms.map(({ fields }) => hostOf(fields)));
    if (hosts.size === 1 && !hosts.has(undefined)) return;
    const message =
      "The path exists on one node only; let the affinity name that one: kubernetes.io/hostname In [node]";
    yield { path, message, atKey: true };
  },
);

/** The only node that the term admits; undefined if there are several. */
function hostOf(term: Readonly<Record<string, unknown>>): unknown {
  for (const { fields } of itemsOf(
    [...listAt(term, "matchExpressions"), ...listAt(term, "matchFields")],
    [],
  )) {
    const values = listAt(fields, "values");
    if (fields["operator"] !== "In" || values.length !== 1) continue;
    if (nodeKey.test(textAt(fields, "key") ?? "")) return values[0];
  }
  return undefined;
}
