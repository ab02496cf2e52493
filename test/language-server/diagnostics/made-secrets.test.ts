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

suite("Secrets that come of mounting a SecretProviderClass", () => {
  const waits = (who: string): string => `
      # ^^^^^^^^^^^^^ synced-secret-unmade: Secret “login” is made once a container mounts this SecretProviderClass, which none of these files does; Pod ${who} waits for it`;

  test("are made by no volume that no container mounts", () =>
    checkDiagnostics(`${quiet}${providerClass(waits("a"))}${pod("a", reads)}`));

  test("are there once any pod mounts it", () =>
    checkDiagnostics(`${quiet}${providerClass()}${pod("a", reads)}${pod("b", mounts)}`));

  test("are missed by nobody who does not read them, nor where a file has them", async () => {
    await checkDiagnostics(`${quiet}${providerClass()}${pod("a", "")}`);
    await checkDiagnostics(`${quiet}${providerClass()}${pod("a", reads)}
      apiVersion: v1
      kind: Secret
      metadata: { name: login }`);
  });

  test("are not missed where another operator makes them, or pods of its own that mount the class", async () => {
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

  test("are not there for the mount that makes them", () =>
    checkDiagnostics(
      `${quiet}${providerClass()}${pod(
        "a",
        mounts,
        ", nodePublishSecretRef: { name: login }",
      ).replace(
        "\n      ---",
        `
      #                                                                                                                                              ^^^^^ synced-secret-unmade: This mount is what has Secret “login” made, by SecretProviderClass “vault”, and cannot come about without it
      ---`,
      )}`,
    ));

  test("are there for whoever is predicted, as are those that other operators make, with their keys", () =>
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

  test("are not predicted for the mount that makes them", () =>
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
