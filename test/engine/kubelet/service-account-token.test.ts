/** Upstream: pkg/kubelet/token, pkg/volume/csi csi_mounter.go podServiceAccountTokenAttrs, pkg/volume/projected. */
import assert from "node:assert/strict";
import { knownDriver } from "../../../src/engine/csi/catalogue/catalogue.ts";
import { testWithFaults } from "../../support/same-end.ts";
import { simulate } from "../../support/simulate.ts";
import { manifests, oneNode, StorageRun } from "../../support/storage-run.ts";

const about = "Pod/default/web";
const tokens = "csi.storage.k8s.io/serviceAccount.tokens";
const pod = (volume: string, account = ""): string => `
  kind: Pod
  metadata: { name: web }
  spec:
    ${account === "" ? "" : `serviceAccountName: ${account}`}
    containers: [{ name: main, image: app, volumeMounts: [{ name: v, mountPath: /v }] }]
    volumes: [{ name: v, ${volume} }]
`;
const claimed = "persistentVolumeClaim: { claimName: data }";
const projected = "projected: { sources: [{ serviceAccountToken: { path: token } }] }";
/** A cluster whose driver requests a token of each pod's service account. */
const wanting = (more = {}): StorageRun =>
  new StorageRun()
    .patch("CSIDriver", "d.csi", { spec: { tokenRequests: [{ audience: "vault" }], ...more } })
    .apply(`
      kind: PersistentVolumeClaim
      metadata: { name: data }
      spec: { storageClassName: fast }
    `);
const contexts = (run: StorageRun): readonly unknown[] =>
  run.requests("NodePublishVolume").map((request) => request["volume_context"]);
const phase = (run: StorageRun): string | undefined => run.get("Pod", "web")?.status?.phase;

suite("service account tokens", () => {
  testWithFaults(
    "a pod without serviceAccountName uses the namespace's default account, which always gives tokens",
    () => {
      const run = wanting().apply(pod(claimed)).settle();
      assert.equal(run.get("Pod", "web")?.spec.serviceAccountName, "default");
      assert.equal(phase(run), "Running");
      const [context] = contexts(run) as Readonly<Record<string, string>>[];
      assert.equal(context?.[tokens], "(removed)");
    },
  );

  testWithFaults(
    "with serviceAccountTokenInSecrets a driver gets tokens in its secrets, not in the volume's context",
    () => {
      const run = wanting({ serviceAccountTokenInSecrets: true }).apply(pod(claimed)).settle();
      assert.equal(phase(run), "Running");
      assert.equal(JSON.stringify(contexts(run)).includes(tokens), false);
      const [publish, ...more] = run.requests("NodePublishVolume");
      assert.deepEqual([publish?.["secrets"], more], ["***stripped***", []]);
      const [elsewhere] = wanting().apply(pod(claimed)).settle().requests("NodePublishVolume");
      assert.equal(elsewhere?.["secrets"], undefined);
    },
  );

  test("a driver that gets tokens in its secrets still needs the keys that it reads from the Secret", () => {
    const published = (data: string): readonly string[] => {
      const mountRefusals = knownDriver("csi.juicefs.com")?.traits.mountRefusals ?? assert.fail();
      const run = new StorageRun({ driver: { mountRefusals } })
        .patch("CSIDriver", "d.csi", {
          spec: { tokenRequests: [{ audience: "vault" }], serviceAccountTokenInSecrets: true },
        })
        .apply(`
          kind: Secret
          metadata: { name: key }
          data: { ${data} }
          ---
          kind: StorageClass
          metadata: { name: shared }
          provisioner: d.csi
          parameters:
            csi.storage.k8s.io/node-publish-secret-name: key
            csi.storage.k8s.io/node-publish-secret-namespace: default
          ---
          kind: PersistentVolumeClaim
          metadata: { name: data }
          spec: { storageClassName: shared }
        `)
        .apply(pod(claimed))
        .advance(20);
      return [...new Set(run.calls.filter((call) => call.includes("NodePublishVolume")))];
    };
    assert.deepEqual(published("name: eA=="), ["n1 NodePublishVolume OK"]);
    assert.deepEqual(published("token: eA=="), ["n1 NodePublishVolume Internal"]);
    assert.deepEqual(published(""), ["n1 NodePublishVolume OK"]);
  });

  testWithFaults("an account that does not exist keeps the volume from being published", () => {
    const run = wanting().apply(pod(claimed, "robot")).settle();
    assert.deepEqual(run.events(about).slice(-1), [
      'Warning FailedMount MountVolume.SetUp failed for volume "pvc-<uid PersistentVolumeClaim/default/data>" : kubernetes.io/csi: mounter.SetUpAt failed to get service accoount token attributes: failed to fetch token: serviceaccounts "robot" not found',
    ]);
    run.apply("{ kind: ServiceAccount, metadata: { name: robot } }").advance(130);
    assert.equal(phase(run), "Running");
  });

  testWithFaults("Azure Files gets the token that it requests", () => {
    const run = new StorageRun({ driver: { ...knownDriver("file.csi.azure.com")?.traits } })
      .apply(`
        kind: PersistentVolumeClaim
        metadata: { name: data }
        spec: { storageClassName: fast }
      `)
      .apply(pod(claimed))
      .settle();
    assert.equal(phase(run), "Running");
    assert.ok(JSON.stringify(contexts(run)).includes(tokens));
  });

  testWithFaults(
    "an account that does not exist keeps a projected token from being mounted",
    () => {
      const run = new StorageRun().apply(pod(projected, "robot")).settle();
      assert.match(
        run.events(about).at(-1) ?? "",
        /: failed to fetch token: serviceaccounts "robot" not found$/,
      );
      run.apply("{ kind: ServiceAccount, metadata: { name: robot } }").advance(130);
      assert.equal(phase(run), "Running");
    },
  );

  test("a token that the kubelet holds outlives its service account until it expires", () => {
    const lasting = { tokenRequests: [{ audience: "vault", expirationSeconds: 600 }] };
    const run = wanting({ ...lasting, requiresRepublish: true })
      .apply("{ kind: ServiceAccount, metadata: { name: robot } }")
      .apply(pod(claimed, "robot"))
      .settle()
      .delete("ServiceAccount", "robot");
    const failures = (): readonly string[] =>
      run.events(about).filter((text) => text.includes("FailedMount"));
    // From the eighth minute on each sync requests a new token, and uses the old one until the tenth.
    run.advance(550);
    assert.deepEqual(failures(), []);
    run.advance(250);
    assert.match(
      failures()[0] ?? "",
      /: token "robot"\/"default"\/\[\]string\{"vault"\}\/600\/v1.BoundObjectReference\{Kind:"Pod", APIVersion:"v1", Name:"web", UID:".*"\} expired and refresh failed: serviceaccounts "robot" not found$/,
    );
  });

  test("without the ServiceAccount admission plugin pods get no service account", () => {
    const trace = simulate({
      version: "1.36",
      seed: 1,
      cluster: {
        name: "test",
        nodes: oneNode,
        drivers: [],
        manifests: [],
        disabledAdmissionPlugins: ["ServiceAccount"],
      },
      steps: [{ type: "apply", manifests: manifests(pod(projected)) }, { type: "settle" }],
    });
    const requests = trace.entries.flatMap((e) => (e.type === "request" ? [e.message] : []));
    assert.deepEqual(requests, [
      'Pod "web" is invalid: spec.volumes[0].projected.sources[0].serviceAccountToken: Forbidden: must not be specified when serviceAccountName is not set',
    ]);
  });
});
