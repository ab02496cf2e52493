/** Secrets that operators make: the objects that ask for them are in files, the Secrets themselves are not. */
import { own } from "../own.ts";
import type { ManifestObject } from "../yaml/manifest.ts";
import { type Fields, fieldsAt, itemsOf, textAt } from "./manifest-fields.ts";

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

type NamesOf = (value: Fields, name: string) => readonly (string | undefined)[];

const makers: Readonly<Record<string, NamesOf>> = {
  "bitnami.com/SealedSecret": (_, name) => [name],
  "cert-manager.io/Certificate": (value) => [textAt(value, "spec", "secretName")],
  "external-secrets.io/ExternalSecret": (value, name) => [
    textAt(value, "spec", "target", "name") ?? name,
  ],
  "secrets-store.csi.x-k8s.io/SecretProviderClass": (value) =>
    itemsOf(fieldsAt(value, "spec")["secretObjects"], []).map(({ fields }) =>
      textAt(fields, "secretName"),
    ),
};
