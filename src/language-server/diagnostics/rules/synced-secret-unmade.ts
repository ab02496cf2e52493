/**
 * Secrets that the Secrets Store driver makes of what it mounts, where nobody mounts it, or only whoever asks for the Secret
 * first. Upstream: secrets-store-csi-driver controllers/secretproviderclasspodstatus_controller.go Reconcile, which goes by the
 * mounts of pods; pkg/kubelet/volumemanager desired_state_of_world_populator.go processPodVolumes skips volumes without a mount.
 */
import { secretStoreVolumes, secretsMadeBy } from "../../workspace/made-secrets.ts";
import { containersOf, itemsOf, podSpecOf, textAt } from "../../workspace/manifest-fields.ts";
import { referencesOf } from "../../workspace/references.ts";
import type { WorkspaceObject } from "../../workspace/workspace-object.ts";
import type { ManifestObject } from "../../yaml/manifest.ts";
import type { Path } from "../../yaml/place.ts";
import type { EnvironmentRule } from "../rule.ts";

interface Mount {
  readonly entry: WorkspaceObject;
  readonly path: Path;
  readonly className: string;
  /** The Secret with which the driver is to log in. */
  readonly login: string | undefined;
}

export const syncedSecretUnmade: EnvironmentRule = {
  id: "synced-secret-unmade",
  severity: "warning",
  scope: "environment",
  looksAtAll: true,
  *check({ environment: { objects, byRef } }) {
    const classes = objects.filter(({ object }) => object.kind === "SecretProviderClass");
    if (classes.length === 0) return;
    const mounts = objects.flatMap(mountsOf);
    for (const entry of classes) {
      const { namespace, name } = entry.object;
      const ofClass = mounts.filter(
        (mount) => mount.className === name && mount.entry.object.namespace === namespace,
      );
      const others = objects.filter(
        ({ object }) => object.namespace === namespace && object !== entry.object,
      );
      if (ofClass.length === 0 && others.some(({ object }) => mayMount(object, name))) continue;
      const made = secretsMadeBy(entry.object).filter(
        (secret) =>
          !byRef.has(`Secret/${namespace}/${secret}`) &&
          !others.some(({ object }) => isMadeBy(object, secret)),
      );
      for (const secret of made) {
        const [first] = ofClass;
        if (ofClass.some(({ login }) => login !== secret)) continue;
        if (first !== undefined) {
          yield {
            entry: first.entry,
            path: [...first.path, "csi", "nodePublishSecretRef", "name"],
            message: `This mount is what has Secret “${secret}” made, by SecretProviderClass “${name}”, and cannot come about without it: make the Secret that the driver logs in with in another way`,
            related: [{ entry, path: ["spec", "secretObjects"], message: "It is made here" }],
          };
          continue;
        }
        const reader = objects.find(({ object }) => reads(object, namespace, secret));
        if (reader === undefined) continue;
        yield {
          entry,
          path: ["spec", "secretObjects"],
          isOfKey: true,
          message: `Secret “${secret}” is made once a container mounts this SecretProviderClass, which none of these files does; ${reader.object.kind} ${reader.object.name} waits for it`,
          related: [{ entry: reader, path: ["metadata", "name"], message: "It is read here" }],
        };
      }
    }
  },
};

function mountsOf(entry: WorkspaceObject): readonly Mount[] {
  const mounted = new Set(
    containersOf(entry.object).flatMap(({ fields }) =>
      itemsOf(fields["volumeMounts"], []).map((mount) => textAt(mount.fields, "name")),
    ),
  );
  return secretStoreVolumes(entry.object)
    .filter(({ fields }) => mounted.has(textAt(fields, "name")))
    .map(({ fields, path, className }) => ({
      entry,
      path,
      className,
      login: textAt(fields, "csi", "nodePublishSecretRef", "name"),
    }));
}

/** Whoever makes pods of an operator's kind. */
function mayMount(object: ManifestObject, className: string): boolean {
  const isKnown = podSpecOf(object) !== undefined || object.kind === "SecretProviderClass";
  const mention = `"secretProviderClass":${JSON.stringify(className)}`;
  return !isKnown && JSON.stringify(object.value).includes(mention);
}

/** By an ExternalSecret for instance; another class makes it only of a mount, too. */
function isMadeBy(object: ManifestObject, secret: string): boolean {
  return object.kind !== "SecretProviderClass" && secretsMadeBy(object).includes(secret);
}

function reads(object: ManifestObject, namespace: string, secret: string): boolean {
  return referencesOf(object).some(
    (one) =>
      one.kind === "Secret" &&
      one.namespace === namespace &&
      one.name === secret &&
      !one.optional &&
      object.kind !== "ServiceAccount",
  );
}
