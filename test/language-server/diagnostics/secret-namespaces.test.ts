import { checkDiagnostics } from "../../support/language-features.ts";

const secret = (namespace: string): string => `
      #- claimcheck.yaml
      profile: aks
      rules: { namespace-missing: off, csidriver-missing: off, source-migrated: off, source-deprecated: off, pv-unclaimed: off }
      #- all.yaml
      apiVersion: v1
      kind: Secret
      metadata: { name: login, namespace: ${namespace} }
      stringData: { azurestorageaccountname: a, azurestorageaccountkey: YQ== }
      ---`;

const pod = (source: string): string => `
      apiVersion: v1
      kind: Pod
      metadata: { name: web, namespace: shop }
      spec:
        containers: [{ name: c, image: i, volumeMounts: [{ name: v, mountPath: /v }] }]
        volumes:
          - name: v
            ${source}`;

const elsewhere =
  "pod-config-missing: Secret “login” is in no file of namespace shop; it exists in namespace “other”, and a Pod can only use those of its own";

/** The source with the expected finding at `login`. */
const marked = (source: string): string => {
  const line = `            ${source}`;
  return `${source}\n      #${" ".repeat(line.indexOf("login") - 7)}^^^^^ ${elsewhere}`;
};

suite("the namespace of the Secret for a mount", () => {
  for (const [what, source] of [
    ["an Azure share", "azureFile: { secretName: login, shareName: s }"],
    ["a FlexVolume", "flexVolume: { driver: corp/nas, secretRef: { name: login } }"],
    [
      "an iSCSI disk",
      "iscsi: { targetPortal: p, iqn: iqn.2001-04.com.example:s, lun: 0, secretRef: { name: login } }",
    ],
    ["an inline volume", "csi: { driver: corp.example, nodePublishSecretRef: { name: login } }"],
    [
      "a driver that reads the Secret itself",
      "csi: { driver: file.csi.azure.com, volumeAttributes: { secretName: login, secretNamespace: other, shareName: s } }",
    ],
  ] as const)
    test(`is the pod's for ${what}`, async () => {
      await checkDiagnostics(`${secret("other")}${pod(marked(source))}`);
      await checkDiagnostics(`${secret("shop")}${pod(source)}`);
    });

  const volume = (source: string): string => `
      apiVersion: v1
      kind: PersistentVolume
      metadata: { name: share }
      spec:
        capacity: { storage: 1Gi }
        accessModes: [ReadWriteMany]
        storageClassName: ""
        claimRef: { namespace: shop, name: share }
        ${source}
      ---
      apiVersion: v1
      kind: PersistentVolumeClaim
      metadata: { name: share, namespace: shop }
      spec: { storageClassName: "", volumeName: share, accessModes: [ReadWriteMany], resources: { requests: { storage: 1Gi } } } # claimcheck-ignore pvc-unused: it is about its volume`;

  test("is the claim's for a volume that names none", () =>
    checkDiagnostics(
      `${secret("shop")}${volume("azureFile: { secretName: login, shareName: s }")}`,
    ));

  test("is reported if a volume names one that does not have the Secret", () =>
    checkDiagnostics(
      `${secret("shop")}${volume(`azureFile: { secretName: login, secretNamespace: default, shareName: s }
      #                          ^^^^^ class-secret-missing: Secret “login” in namespace default, which is passed to the driver, is in no file; it exists in namespace “shop”`)}`,
    ));
});
