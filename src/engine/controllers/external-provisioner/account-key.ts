/**
 * The secret with the key to a share's account, which Azure's driver writes when it has made the share: volumes of the in-tree
 * class name it, and are mounted with it. The driver is asked no more than its calls, so its provisioner writes it here.
 * Upstream: azurefile-csi-driver pkg/azurefile/azurefile.go SetAzureCredentials, storeAccountKey.
 */
import type { Draft } from "../../api/meta.ts";
import { create, type Task } from "../../runtime/effects.ts";

/** Does nothing for a volume without such a secret, nor where the secret is there. */
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
