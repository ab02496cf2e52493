/** Secrets that operators make or fill: files contain the objects that ask for them, but not their contents. */
import { own } from "../../own.ts";
import type { ManifestObject } from "../../yaml/manifest.ts";
import type { Environment } from "../environment.ts";
import {
  type Fields,
  fieldsAt,
  itemsOf,
  type Located,
  podVolumesOf,
  textAt,
} from "../manifest-fields.ts";
import type { WorkspaceObject } from "../workspace-object.ts";

/** Names of the Secrets, in the object's own namespace; empty for other kinds. */
export function secretsMadeBy({
  apiVersion,
  kind,
  name,
  value,
}: ManifestObject): readonly string[] {
  const [group = ""] = apiVersion.split("/");
  const names = own(makers, `${group}/${kind}`)?.(value, name) ?? [];
  return names.filter((made) => made !== undefined);
}

/** The Secrets that operators will have made; without those that are needed to make them in the first place. */
export function madeSecrets(objects: Environment["objects"]): readonly MadeSecret[] {
  const needed = new Set(objects.flatMap(({ object }) => neededForMount(object)));
  return objects.flatMap(({ object }) =>
    secretsMadeBy(object)
      .filter((name) => !needed.has(`${object.name}/${object.namespace}/${name}`))
      .map((name) => ({ kind: "Secret", namespace: object.namespace, name, keys: undefined })),
  );
}

interface MadeSecret {
  readonly kind: "Secret";
  readonly namespace: string;
  readonly name: string;
  /** Only the operator knows them. */
  readonly keys: undefined;
}

/** For a pod: the Secrets it needs to mount SecretProviderClasses, each with its class. */
function neededForMount(object: ManifestObject): readonly string[] {
  return secretStoreVolumes(object).flatMap(({ className, login }) =>
    login === undefined ? [] : [`${className}/${object.namespace}/${login}`],
  );
}

export interface SecretStoreVolume extends Located {
  readonly className: string;
  /** The Secret that the driver logs in with. */
  readonly login: string | undefined;
}

/** A pod's volumes of the Secrets Store driver. */
export function secretStoreVolumes(object: ManifestObject): readonly SecretStoreVolume[] {
  return podVolumesOf(object).flatMap((volume) => {
    const csi = fieldsAt(volume.fields, "csi");
    const className = textAt(csi, "volumeAttributes", "secretProviderClass");
    const isStore = csi["driver"] === "secrets-store.csi.k8s.io";
    const login = textAt(csi, "nodePublishSecretRef", "name");
    return isStore && className !== undefined ? [{ ...volume, className, login }] : [];
  });
}

type NamesOf = (value: Fields, name: string) => readonly (string | undefined)[];

const ofSameName: NamesOf = (_, name) => [name];
/** Kinds of HashiCorp's operator for Vault. */
const ofVault: NamesOf = (value) => [textAt(value, "spec", "destination", "name")];

const makers: Readonly<Record<string, NamesOf>> = {
  "bitnami.com/SealedSecret": ofSameName,
  "cert-manager.io/Certificate": (value) => [textAt(value, "spec", "secretName")],
  "external-secrets.io/ExternalSecret": (value, name) => [
    textAt(value, "spec", "target", "name") ?? name,
  ],
  "isindir.github.com/SopsSecret": (value) =>
    itemsOf(fieldsAt(value, "spec")["secretTemplates"], []).map(({ fields }) =>
      textAt(fields, "name"),
    ),
  "objectbucket.io/ObjectBucketClaim": ofSameName,
  "onepassword.com/OnePasswordItem": ofSameName,
  "ricoberger.de/VaultSecret": ofSameName,
  "secrets.hashicorp.com/VaultDynamicSecret": ofVault,
  "secrets.hashicorp.com/VaultPKISecret": ofVault,
  "secrets.hashicorp.com/VaultStaticSecret": ofVault,
  "secrets-store.csi.x-k8s.io/SecretProviderClass": (value) =>
    itemsOf(fieldsAt(value, "spec")["secretObjects"], []).map(({ fields }) =>
      textAt(fields, "secretName"),
    ),
};

/**
 * True if a Secret may have more keys in the cluster than its file contains: an operator fills it, or patches or chart values
 * that are not known add to it.
 */
export function mayHaveOtherKeys(
  entry: WorkspaceObject,
  { objects, kustomized }: Pick<Environment, "kustomized" | "objects">,
): boolean {
  const { object, patched } = entry;
  return (
    patched?.lacksPatch === true ||
    patched?.rendered?.isAssumed === true ||
    kustomized.lacksPatch(entry) ||
    Object.keys(fieldsAt(object.value, "metadata", "annotations")).some((key) =>
      fillers.some((prefix) => key.startsWith(prefix)),
    ) ||
    madeIn(objects).has(`${object.namespace}/${object.name}`)
  );
}

/** Annotations that let a controller generate a Secret's keys or copy them from another Secret. */
const fillers: readonly string[] = [
  "secret-generator.v1.mittwald.de/",
  "replicator.v1.mittwald.de/replicate-from",
  "reflector.v1.k8s.emberstack.com/reflects",
];

function madeIn(objects: Environment["objects"]): ReadonlySet<string> {
  const known = madeByObjects.get(objects);
  if (known !== undefined) return known;
  const made = new Set(
    objects.flatMap(({ object }) =>
      secretsMadeBy(object).map((name) => `${object.namespace}/${name}`),
    ),
  );
  madeByObjects.set(objects, made);
  return made;
}

const madeByObjects = new WeakMap<Environment["objects"], ReadonlySet<string>>();
