/** Secrets that operators make or fill: the objects that ask for them are in files, what is in the Secrets is not. */
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

/** Their names, in the object's own namespace; none for other kinds. */
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

/** As the cluster has them once the operators have come to it; none that is needed for what makes it. */
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
  /** Only its maker knows them. */
  readonly keys: undefined;
}

/** Of a pod: Secrets for mounts of SecretProviderClasses, with the class before each. */
function neededForMount(object: ManifestObject): readonly string[] {
  return secretStoreVolumes(object).flatMap(({ className, login }) =>
    login === undefined ? [] : [`${className}/${object.namespace}/${login}`],
  );
}

export interface SecretStoreVolume extends Located {
  readonly className: string;
  /** The Secret with which the driver is to log in. */
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
/** Of the operator that HashiCorp has for Vault. */
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
 * Whether a Secret may have other keys in the cluster than its file says: somebody else makes it too, or what patches or values
 * of a chart add to it is not known.
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

/** Annotations by which a controller generates keys of a Secret, or copies them from another one. */
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
