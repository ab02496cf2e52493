/** In-tree volume plugins that Kubernetes has removed, redirects to CSI drivers, or has deprecated. */
import {
  driverInstead,
  driverOfSource,
  migratedDriver,
  type RemovedPlugin,
  removedPlugin,
  removedSource,
} from "../../../engine/matching/csi-migration.ts";
import { own } from "../../own.ts";
import { type Fields, fieldsAt, podVolumesOf, textAt } from "../../workspace/manifest-fields.ts";
import type { ManifestObject } from "../../yaml/manifest.ts";
import type { Path } from "../../yaml/place.ts";
import { answerOf } from "../api-answer.ts";
import { objectRule } from "../object-rule.ts";
import type { DocumentRule } from "../rule.ts";

/**
 * Provisioners that are not in-tree, but make volumes that are. Upstream: kubernetes-retired/external-storage ceph/rbd,
 * ceph/cephfs, gluster/file.
 */
const makersOfRemoved: Readonly<Record<string, string>> = {
  "ceph.com/cephfs": "cephfs",
  "ceph.com/rbd": "rbd",
  "gluster.org/glusterfile": "glusterfs",
};

const deprecatedSources: Readonly<Record<string, string>> = {
  flexVolume: "use a CSI driver",
  gitRepo: "clone in an initContainer into an emptyDir",
};

export const sourceRemoved: DocumentRule = objectRule(
  "source-removed",
  "warning",
  { explainsOutcome: "of-field" },
  function* (object) {
    for (const { path, source } of sourcesOf(object)) {
      const removed = removedSource(source);
      if (removed === undefined) continue;
      yield { path, message: `${removedText(removed)}; the volume cannot be mounted`, atKey: true };
    }
  },
);

export const sourceMigrated: DocumentRule = objectRule(
  "source-migrated",
  "warning",
  { explainsOutcome: "of-field" },
  function* (object) {
    for (const { path, source } of sourcesOf(object)) {
      const driver = driverOfSource(source);
      if (driver === undefined) continue;
      const message = `Redirected to CSI driver “${driver}”, which must be installed`;
      yield { path, message, atKey: true };
    }
  },
);

export const sourceDeprecated: DocumentRule = objectRule(
  "source-deprecated",
  "warning",
  // It is unknown whether a node has the flexVolume driver's program.
  { explainsOutcome: "of-field" },
  function* (object, { version }) {
    for (const { path, source } of sourcesOf(object)) {
      const instead = own(deprecatedSources, source);
      if (instead === undefined) continue;
      const warnings = answerOf(object, version)?.warnings ?? [];
      const isOff = warnings.some(
        (warning) => warning.includes(`${source}: `) && /disabled by default/.test(warning),
      );
      const state = isOff ? "is switched off by default; the Pod will not start" : "is deprecated";
      yield { path, message: `${source} ${state}: ${instead}`, atKey: true };
    }
  },
);

export const provisionerInTree: DocumentRule = objectRule(
  "provisioner-in-tree",
  "warning",
  // These say it, too, with the claims or pods that wait.
  {
    kinds: ["StorageClass"],
    yieldsTo: ["claim-stays-pending", "pod-does-not-start"],
    yieldsAtPlace: true,
  },
  function* ({ value }) {
    const provisioner = textAt(value, "provisioner") ?? "";
    const path = ["provisioner"];
    const driver = migratedDriver(provisioner);
    const removed = removedPlugin(provisioner);
    const made = removedSource(own(makersOfRemoved, provisioner) ?? "");
    if (driver !== undefined) {
      const fix = { title: `Change to ${driver}`, path, value: driver };
      yield {
        path,
        message: `This in-tree provisioner is handled by “${driver}”, which must be installed`,
        fix,
      };
    } else if (removed !== undefined) {
      yield { path, message: `${removedText(removed)}; nothing provisions its claims` };
    } else if (made !== undefined) {
      yield { path, message: `${removedText(made)}; the volumes made by it cannot be mounted` };
    } else {
      const instead = driverInstead(provisioner);
      if (instead === undefined) return;
      const never = `Kubernetes never had this provisioner${insteadText(instead)}`;
      yield { path, message: `${never}; nothing provisions its claims` };
    }
  },
);

function removedText({ version, replacement }: RemovedPlugin): string {
  return `The in-tree driver was removed in ${version}${insteadText(replacement)}`;
}

function insteadText(driver: string | undefined): string {
  return driver === undefined ? "" : ` (its CSI driver is “${driver}”)`;
}

/** The volume sources of a PersistentVolume, or of the pods that an object is or makes. */
function sourcesOf(
  object: ManifestObject,
): readonly { readonly path: Path; readonly source: string }[] {
  const of = (fields: Fields, path: Path): { path: Path; source: string }[] =>
    Object.entries(fields).flatMap(([source, value]) =>
      value === null || value === undefined ? [] : [{ path: [...path, source], source }],
    );
  if (object.kind === "PersistentVolume") return of(fieldsAt(object.value, "spec"), ["spec"]);
  return podVolumesOf(object).flatMap(({ fields, path }) => of(fields, path));
}
