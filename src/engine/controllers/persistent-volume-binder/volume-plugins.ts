/**
 * The volume plugins inside the controller manager, and how one is found. Upstream: cmd/kube-controller-manager/app/plugins.go
 * ProbeProvisionableRecyclableVolumePlugins; pkg/volume/plugins.go v1.36.
 */
import type {
  PersistentVolume,
  PersistentVolumeClaim,
  StorageClass,
  Volume,
} from "../../api/types.ts";
import type { Task } from "../../runtime/effects.ts";

export type Attempt<T = Record<never, never>> = ({ readonly ok: true } & T) | Failure;

export interface Failure {
  readonly ok: false;
  readonly error: string;
  /** True if the deleter found the volume still in use; the volume is not marked Failed then. */
  readonly inUse?: boolean;
}

export interface ProvisionOptions {
  readonly volumeName: string;
  readonly claim: PersistentVolumeClaim;
  readonly storageClass: StorageClass;
}

/** A volume as a plugin made it, before the controller writes claimRef, class, annotations and finalizer into it. */
export interface ProvisionedVolume {
  readonly name: string;
  readonly spec: PersistentVolume["spec"];
}

export interface VolumePlugin {
  readonly name: string;
  readonly supports: (volume: PersistentVolume) => boolean;
  readonly supportsMountOptions: boolean;
  readonly newProvisioner?: (
    options: ProvisionOptions,
  ) => Attempt<{ readonly provision: () => Task<Attempt<{ readonly volume: ProvisionedVolume }>> }>;
  readonly newDeleter?: (
    volume: PersistentVolume,
  ) => Attempt<{ readonly remove: () => Task<Attempt> }>;
  /** Empties the volume by means of `recycler`; absent if the plugin cannot recycle. */
  readonly recycle?: (volume: PersistentVolume, recycler: Recycler) => Task<Attempt>;
}

/** Runs a pod that empties a volume; `source` is the pod's volume source. */
export interface Recycler {
  readonly run: (
    source: Omit<Volume, "name">,
    deadline: { readonly minimumSeconds: number; readonly secondsPerGibibyte: number },
  ) => Task<Attempt>;
}

export type Found<T> =
  | { readonly ok: true; readonly plugin: T }
  | { readonly ok: false; readonly error: string };

type With<K extends keyof VolumePlugin> = VolumePlugin & Required<Pick<VolumePlugin, K>>;

export class VolumePlugins {
  readonly #plugins: readonly VolumePlugin[];

  constructor(plugins: readonly VolumePlugin[]) {
    this.#plugins = plugins;
  }

  provisioner(name: string): Found<With<"newProvisioner">> {
    const plugin = this.#byName(name);
    if (plugin === undefined) return noneNamed(name);
    return canProvision(plugin) ? { ok: true, plugin } : notThat("provisionable");
  }

  deleterByName(name: string): Found<With<"newDeleter">> {
    const plugin = this.#byName(name);
    if (plugin === undefined) return noneNamed(name);
    return canDelete(plugin) ? { ok: true, plugin } : notThat("deletable");
  }

  deleterFor(volume: PersistentVolume): Found<With<"newDeleter">> {
    const plugin = this.#bySource(volume);
    if (plugin === undefined) return { ok: false, error: "no volume plugin matched" };
    return canDelete(plugin) ? { ok: true, plugin } : notThat("deletable");
  }

  recyclerFor(volume: PersistentVolume): Found<With<"recycle">> {
    const plugin = this.#bySource(volume);
    if (plugin === undefined) return { ok: false, error: "no volume plugin matched" };
    return canRecycle(plugin) ? { ok: true, plugin } : notThat("recyclable");
  }

  #byName(name: string): VolumePlugin | undefined {
    return this.#plugins.find((plugin) => plugin.name === name);
  }

  #bySource(volume: PersistentVolume): VolumePlugin | undefined {
    return this.#plugins.find((plugin) => plugin.supports(volume));
  }
}

function noneNamed(name: string): { readonly ok: false; readonly error: string } {
  return { ok: false, error: `no volume plugin matched name: ${name}` };
}

function notThat(ability: string): { readonly ok: false; readonly error: string } {
  return { ok: false, error: `no ${ability} volume plugin matched` };
}

function canProvision(plugin: VolumePlugin): plugin is With<"newProvisioner"> {
  return plugin.newProvisioner !== undefined;
}
function canDelete(plugin: VolumePlugin): plugin is With<"newDeleter"> {
  return plugin.newDeleter !== undefined;
}
function canRecycle(plugin: VolumePlugin): plugin is With<"recycle"> {
  return plugin.recycle !== undefined;
}
