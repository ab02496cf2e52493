import { checkDiagnostics, checkPredicted } from "../../support/language-features.ts";

const providerClass = (label = ""): string => `
      #- all.yaml
      apiVersion: secrets-store.csi.x-k8s.io/v1
      kind: SecretProviderClass
      metadata: { name: vault }
      spec:
        secretObjects: [{ secretName: login }]${label}
      ---`;

const pod = (name: string, container: string, volume = ""): string => `
      apiVersion: v1
      kind: Pod
      metadata: { name: ${name} }
      spec:
        containers: [{ name: c, image: i${container} }]
        volumes:
          - name: v
            csi: { driver: secrets-store.csi.k8s.io, readOnly: true, volumeAttributes: { secretProviderClass: vault }${volume} }
      ---`;

const quiet = `
      #- claimcheck.yaml
      rules: { pod-config-missing: off, csidriver-missing: off, volume-unused: off }`;
const reads = ", envFrom: [{ secretRef: { name: login } }]";
const mounts = ", volumeMounts: [{ name: v, mountPath: /v }]";

suite("Secrets created by mounting a SecretProviderClass", () => {
  const waits = (who: string): string => `
      # ^^^^^^^^^^^^^ synced-secret-unmade: Secret “login” is created only once a container mounts this SecretProviderClass, which none in these files does; Pod ${who} waits for it`;

  test("are not created by a volume that no container mounts", () =>
    checkDiagnostics(`${quiet}${providerClass(waits("a"))}${pod("a", reads)}`));

  test("exist once any pod mounts it", () =>
    checkDiagnostics(`${quiet}${providerClass()}${pod("a", reads)}${pod("b", mounts)}`));

  test("are not reported missing if nothing reads them, or a file has them", async () => {
    await checkDiagnostics(`${quiet}${providerClass()}${pod("a", "")}`);
    await checkDiagnostics(`${quiet}${providerClass()}${pod("a", reads)}
      apiVersion: v1
      kind: Secret
      metadata: { name: login }`);
  });

  test("are not reported missing if another operator, or its pods that mount the class, create them", async () => {
    await checkDiagnostics(`${quiet}${providerClass()}${pod("a", reads)}
      apiVersion: external-secrets.io/v1
      kind: ExternalSecret
      metadata: { name: login }`);
    const rollout = (name: string): string => `
      apiVersion: argoproj.io/v1alpha1
      kind: Rollout
      metadata: { name: web }
      spec: { template: { spec: { volumes: [{ name: v, csi: { volumeAttributes: { secretProviderClass: ${name} } } }] } } }`;
    await checkDiagnostics(`${quiet}${providerClass()}${pod("a", reads)}${rollout("vault")}`);
    await checkDiagnostics(
      `${quiet}${providerClass(waits("a"))}${pod("a", reads)}${rollout("other")}`,
    );
  });

  test("do not exist for the mount that creates them", () =>
    checkDiagnostics(
      `${quiet}${providerClass()}${pod(
        "a",
        mounts,
        ", nodePublishSecretRef: { name: login }",
      ).replace(
        "\n      ---",
        `
      #                                                                                                                                              ^^^^^ synced-secret-unmade: Secret “login” is created only once this volume is mounted (SecretProviderClass “vault”)
      ---`,
      )}`,
    ));

  test("exist in predictions with all their keys, as do those that other operators create", () =>
    checkPredicted(`${quiet}${providerClass()}${pod("a", `${reads}${mounts}`)}
      apiVersion: external-secrets.io/v1
      kind: ExternalSecret
      metadata: { name: db }
      spec: { target: { name: other } }
      ---
      apiVersion: v1
      kind: Pod
      metadata: { name: web }
      spec: { containers: [{ name: c, image: i, env: [{ name: A, valueFrom: { secretKeyRef: { name: other, key: a } } }] }] }`));

  test("are not predicted to exist for the mount that creates them", () =>
    checkPredicted(
      `${quiet.replace("off }", "off, synced-secret-unmade: off }")}${providerClass()}${pod(
        "a",
        mounts,
        ", nodePublishSecretRef: { name: login }",
      ).replace(
        "- name: v",
        `- name: v
      #     ^^^^^^^ pod-does-not-start`,
      )}`,
    ));
});
