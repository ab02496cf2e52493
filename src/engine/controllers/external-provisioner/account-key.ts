/**
 * The Secret with the account key of an Azure file share, which volumes of the in-tree class need for mounting. Upstream the
 * driver writes it once the share exists; here drivers only answer calls, so the provisioner writes it.
 * Upstream: azurefile-csi-driver pkg/azurefile/azurefile.go SetAzureCredentials, storeAccountKey.
 */
import type { Draft } from "../../api/meta.ts";
import { create, type Task } from "../../runtime/effects.ts";

/** Does nothing if the volume names no such Secret, or the Secret exists. */
export function* storeAccountKey({ spec }: Draft<"PersistentVolume">): Task {
  if (spec.azureFile === undefined) return;
  const { secretName: name, secretNamespace: namespace = "default" } = spec.azureFile;
  yield* create({
    apiVersion: "v1",
    kind: "Secret",
    metadata: { name, namespace },
    type: "Opaque",
    data: { azurestorageaccountname: "YWNjb3VudA==", azurestorageaccountkey: "a2V5" },
  });
}
