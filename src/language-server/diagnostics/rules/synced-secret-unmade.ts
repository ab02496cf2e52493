/**
 * Secrets that the Secrets Store driver creates from what pods mount, but that no pod mounts, or only the pod that needs the
 * Secret to start. Upstream: secrets-store-csi-driver controllers/secretproviderclasspodstatus_controller.go Reconcile, which
 * depends on the mounts of pods; pkg/kubelet/volumemanager desired_state_of_world_populator.go processPodVolumes skips volumes
 * without a mount.
 */
import { push } from "../../../engine/api/go/multi-map.ts";
import { podSpecOf } from "../../workspace/manifest-fields.ts";
import {
  type SecretStoreVolume,
  secretStoreVolumes,
  secretsMadeBy,
} from "../../workspace/objects/made-secrets.ts";
import { referencesOf } from "../../workspace/references.ts";
import type { WorkspaceObject } from "../../workspace/workspace-object.ts";
import type { ManifestObject } from "../../yaml/manifest.ts";
import { mountedVolumes } from "../facts/mounted-volumes.ts";
import type { EnvironmentRule } from "../rule.ts";

export const syncedSecretUnmade: EnvironmentRule = {
  id: "synced-secret-unmade",
  severity: "warning",
  scope: "environment",
  looksAtAll: true,
  *check({ environment: { objects, byRef } }) {
    const classes = objects.filter(({ object }) => object.kind === "SecretProviderClass");
    if (classes.length === 0) return;
    const uses = new Uses(objects);
    for (const entry of classes) {
      const { namespace, name } = entry.object;
      const mounts = uses.mounts.get(`${namespace}/${name}`) ?? [];
      const [first] = mounts;
      if (first === undefined && uses.mentioned.has(`${namespace}/${name}`)) continue;
      for (const secret of secretsMadeBy(entry.object)) {
        const called = `${namespace}/${secret}`;
        if (byRef.has(`Secret/${called}`) || uses.made.has(called)) continue;
        if (mounts.some(({ login }) => login !== secret)) continue;
        const reader = uses.readers.get(called);
        if (first !== undefined)
          yield {
            entry: first.entry,
            path: [...first.path, "csi", "nodePublishSecretRef", "name"],
            message: `Secret “${secret}” is created only once this volume is mounted (SecretProviderClass “${name}”), and the mount needs it: create the Secret in another way`,
            related: [{ entry, path: ["spec", "secretObjects"], message: "It is created here" }],
          };
        else if (reader !== undefined)
          yield {
            entry,
            path: ["spec", "secretObjects"],
            isOfKey: true,
            message: `Secret “${secret}” is created only once a container mounts this SecretProviderClass, which none in these files does; ${reader.object.kind} ${reader.object.name} waits for it`,
            related: [{ entry: reader, path: ["metadata", "name"], message: "It is read here" }],
          };
      }
    }
  },
};

interface Mount extends SecretStoreVolume {
  readonly entry: WorkspaceObject;
}

/** How all objects use classes and Secrets, by namespace and name: searching all objects for each class would take too long. */
class Uses {
  readonly mounts = new Map<string, Mount[]>();
  /** Classes that an operator's custom resources mention: the operator's pods may mount them. */
  readonly mentioned = new Set<string>();
  /**
   * Secrets that other objects create, such as an ExternalSecret. Another class does not count, because it needs a mount as
   * well.
   */
  readonly made = new Set<string>();
  /** By Secret, the first object that waits for it. */
  readonly readers = new Map<string, WorkspaceObject>();

  constructor(objects: readonly WorkspaceObject[]) {
    for (const entry of objects) this.#add(entry);
  }

  #add(entry: WorkspaceObject): void {
    const { object } = entry;
    const { kind, namespace } = object;
    for (const mount of mountsOf(object))
      push(this.mounts, `${namespace}/${mount.className}`, { ...mount, entry });
    for (const reference of kind === "ServiceAccount" ? [] : referencesOf(object)) {
      const called = `${reference.namespace}/${reference.name}`;
      if (reference.kind === "Secret" && !reference.optional && !this.readers.has(called))
        this.readers.set(called, entry);
    }
    if (kind === "SecretProviderClass") return;
    for (const secret of secretsMadeBy(object)) this.made.add(`${namespace}/${secret}`);
    if (object.served || podSpecOf(object) !== undefined) return;
    for (const [, name] of JSON.stringify(object.value).matchAll(mention))
      this.mentioned.add(`${namespace}/${name}`);
  }
}

const mention = /"secretProviderClass":"([^"]*)"/g;

function mountsOf(object: ManifestObject): readonly SecretStoreVolume[] {
  const volumes = secretStoreVolumes(object);
  if (volumes.length === 0) return [];
  const mounted = mountedVolumes(object);
  return volumes.filter(({ fields }) => mounted.has(fields["name"]));
}
