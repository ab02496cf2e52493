/** What the API server fills in and drops in new objects, and what priority classes and service accounts admit. */
import assert from "node:assert/strict";
import { parse } from "yaml";
import type { ClusterView } from "../../../src/engine/api/request-context.ts";
import { answerCreate } from "../../../src/engine/api/requests.ts";
import { clusterOf, create, field, refusal, replace } from "./answer.ts";

const pod = (spec = "", metadata = "", status = ""): string => `
apiVersion: v1
kind: Pod
metadata: { name: web, ${metadata} }
spec: { containers: [{ name: app, image: busybox }], ${spec} }
${status}`;

suite("A new object", () => {
  test("loses what only the server can know", () => {
    const made = create(
      pod(
        "",
        'uid: u1, creationTimestamp: "2020-01-01T00:00:00Z", deletionTimestamp: "2020-01-01T00:00:00Z", deletionGracePeriodSeconds: 3, selfLink: /x, generation: 7',
        "status: { phase: Running, podIP: 10.0.0.1 }",
      ),
    );
    for (const name of [
      "uid",
      "creationTimestamp",
      "deletionTimestamp",
      "deletionGracePeriodSeconds",
      "selfLink",
    ])
      assert.equal(field(made, `metadata.${name}`), undefined, name);
    assert.deepEqual(field(made, "status"), { phase: "Pending", qosClass: "BestEffort" });
    assert.equal(
      refusal(create(pod("", 'resourceVersion: "5"'))),
      "resourceVersion should not be set on objects to be created",
    );
    for (const none of ["0", "x"])
      assert.ok(create(pod("", `resourceVersion: "${none}"`)).ok, "nobody asks for this version");
  });

  test("has its generation reset if its kind counts generations; in other kinds it must not be negative", () => {
    const kinds = [
      pod("", "generation: -1"),
      "{ apiVersion: scheduling.k8s.io/v1, kind: PriorityClass, metadata: { name: a, generation: -1 }, value: 1 }",
      "{ apiVersion: snapshot.storage.k8s.io/v1, kind: VolumeSnapshotClass, metadata: { name: a, generation: -1 }, driver: d, deletionPolicy: Delete }",
    ];
    for (const kind of kinds) assert.equal(refusal(create(kind)), "accepted", kind);
    assert.equal(
      refusal(create("{ apiVersion: v1, kind: ConfigMap, metadata: { name: a, generation: -1 } }")),
      "metadata.generation: Invalid value: -1: must be greater than or equal to 0",
    );
  });

  test("keeps its generation when it is updated with another one", () => {
    for (const generation of [-4, 7]) {
      const map = (metadata: string): string =>
        `{ apiVersion: v1, kind: ConfigMap, metadata: { name: a, namespace: default, ${metadata} } }`;
      const changed = replace(map(""), map(`generation: ${generation}`));
      assert.equal(field(changed, "metadata.generation"), undefined);
    }
  });

  test("that is a ServiceAccount keeps only the names of its secrets", () => {
    const account = (secret: string): string =>
      `{ apiVersion: v1, kind: ServiceAccount, metadata: { name: a, namespace: default }, secrets: [${secret}] }`;
    const whole = account("{ name: b, namespace: c, kind: Secret }");
    assert.deepEqual(field(create(whole), "secrets"), [{ name: "b" }]);
    assert.deepEqual(field(replace(account("{ name: a }"), whole), "secrets"), [{ name: "b" }]);
  });

  test("has its status reset, or removed if controllers create it", () => {
    const status = (text: string): unknown => field(create(text), "status");
    const volume = `
apiVersion: v1
kind: PersistentVolume
metadata: { name: disk }
spec: { capacity: { storage: 1Gi }, accessModes: [ReadWriteOnce], nfs: { server: s, path: /p } }
status: { phase: Bound }`;
    assert.deepEqual(status(volume), {
      phase: "Pending",
      lastPhaseTransitionTime: "2026-01-01T00:00:00Z",
    });
    const claim = `
apiVersion: v1
kind: PersistentVolumeClaim
metadata: { name: data }
spec: { accessModes: [ReadWriteOnce], resources: { requests: { storage: 1Gi } } }
status: { phase: Bound, capacity: { storage: 1Gi } }`;
    assert.deepEqual(status(claim), { phase: "Pending" });
    const snapshot = `
apiVersion: snapshot.storage.k8s.io/v1
kind: VolumeSnapshot
metadata: { name: s, namespace: default }
spec: { source: { persistentVolumeClaimName: data } }
status: { readyToUse: true }`;
    assert.equal(status(snapshot), undefined);
  });
});

suite("A pod's priority", () => {
  const classes = clusterOf(`
    - { apiVersion: scheduling.k8s.io/v1, kind: PriorityClass, metadata: { name: high }, value: 9, preemptionPolicy: Never }
    - { apiVersion: scheduling.k8s.io/v1, kind: PriorityClass, metadata: { name: usual }, value: 5, globalDefault: true }
    - { apiVersion: scheduling.k8s.io/v1, kind: PriorityClass, metadata: { name: base }, value: 3, globalDefault: true }`);
  const given = (spec: string): readonly unknown[] => {
    const made = create(pod(spec), classes);
    return ["priorityClassName", "priority", "preemptionPolicy"].map((name) =>
      field(made, `spec.${name}`),
    );
  };

  test("comes from its class, the lowest global default, or is 0", () => {
    assert.deepEqual(given("priorityClassName: high"), ["high", 9, "Never"]);
    assert.deepEqual(given(""), ["base", 3, "PreemptLowerPriority"]);
    assert.equal(field(create(pod()), "spec.priority"), 0);
    assert.deepEqual(given("priorityClassName: system-node-critical"), [
      "system-node-critical",
      2_000_001_000,
      "PreemptLowerPriority",
    ]);
  });

  test("cannot differ from that of its class", () => {
    const refused = (spec: string): string => refusal(create(pod(spec), classes));
    const forbidden = 'pods "web" is forbidden:';
    assert.equal(
      refused("priorityClassName: none"),
      `${forbidden} no PriorityClass with name none was found`,
    );
    assert.equal(refused("priorityClassName: high, priority: 9"), "accepted");
    assert.equal(
      refused("priorityClassName: high, priority: 3"),
      `${forbidden} the integer value of priority (3) must not be provided in pod spec; priority admission controller computed 9 from the given PriorityClass name`,
    );
    assert.equal(
      refused("priorityClassName: high, preemptionPolicy: PreemptLowerPriority"),
      `${forbidden} the string value of PreemptionPolicy (PreemptLowerPriority) must not be provided in pod spec; priority admission controller computed Never from the given PriorityClass name`,
    );
  });
});

suite("A system priority class", () => {
  test("must have a known name, its value and no global default", () => {
    const named = (name: string, value: number, fields = ""): string =>
      refusal(
        create(
          `{ apiVersion: scheduling.k8s.io/v1, kind: PriorityClass, metadata: { name: ${name} }, value: ${value}, ${fields} }`,
        ),
      ).replace(
        /^metadata.name: Forbidden: priority class names with 'system-' prefix are reserved for system use only. error: /,
        "",
      );
    assert.equal(named("system-mine", 1), "system-mine is not a known system priority class");
    assert.equal(
      named("system-cluster-critical", 1),
      "value of system-cluster-critical PriorityClass must be 2000000000",
    );
    assert.equal(
      named("system-node-critical", 2_000_001_000, "globalDefault: true"),
      "globalDefault of system-node-critical PriorityClass must be false",
    );
    assert.equal(named("system-node-critical", 2_000_001_000), "accepted");
  });
});

suite("The global default priority class", () => {
  const standard = (name: string, what = "globalDefault: true"): string =>
    `{ apiVersion: scheduling.k8s.io/v1, kind: PriorityClass, metadata: { name: ${name} }, value: 5, ${what} }`;
  const cluster = clusterOf(`[${standard("first")}]`);

  test("must be the only one", () => {
    const refused = (yaml: string): string => refusal(create(yaml, cluster));
    assert.equal(
      refused(standard("second")),
      'priorityclasses.scheduling.k8s.io "second" is forbidden: PriorityClass first is already marked as default. Only one default can exist',
    );
    assert.equal(refused(standard("second", "globalDefault: false")), "accepted");
    assert.equal(refusal(create(standard("first"))), "accepted");
  });

  test("can be updated, and another class cannot become it", () => {
    const change = (name: string, before: string): string =>
      refusal(replace(standard(name, before), standard(name), undefined, cluster));
    assert.equal(change("first", "globalDefault: false"), "accepted");
    assert.match(change("second", "globalDefault: false"), /Only one default can exist$/);
  });
});

suite("A pod without settings of its own", () => {
  test("runs as the default account; another account is kept", () => {
    assert.equal(field(create(pod()), "spec.serviceAccountName"), "default");
    assert.equal(field(create(pod("serviceAccountName: app")), "spec.serviceAccountName"), "app");
  });

  test("tolerates a node that is not ready for five minutes; its own tolerations are kept", () => {
    const seconds = (spec = ""): unknown =>
      (field(create(pod(spec)), "spec.tolerations") as Record<string, unknown>[]).map(
        ({ key, tolerationSeconds }) => `${key}: ${tolerationSeconds}`,
      );
    const [notReady, unreachable] = ["not-ready", "unreachable"].map(
      (state) => `node.kubernetes.io/${state}`,
    );
    assert.deepEqual(seconds(), [`${notReady}: 300`, `${unreachable}: 300`]);
    assert.deepEqual(
      seconds(
        `tolerations: [{ key: ${notReady}, operator: Exists, effect: NoExecute, tolerationSeconds: 5 }]`,
      ),
      [`${notReady}: 5`, `${unreachable}: 300`],
    );
  });
});

suite("A pod's service account", () => {
  const account = (fields: string, annotations = "{}"): ClusterView =>
    clusterOf(
      `[{ apiVersion: v1, kind: ServiceAccount, metadata: { name: default, namespace: default, annotations: ${annotations} }, ${fields} }]`,
    );

  test("adds its pull secrets to a pod that has none", () => {
    const lent = (spec: string): unknown =>
      field(create(pod(spec), account("imagePullSecrets: [{ name: a }]")), "spec.imagePullSecrets");
    assert.deepEqual(lent(""), [{ name: "a" }]);
    assert.deepEqual(lent("imagePullSecrets: []"), [{ name: "a" }]);
    assert.deepEqual(lent("imagePullSecrets: [{ name: b }]"), [{ name: "b" }]);
    assert.equal(lent("serviceAccountName: other"), undefined);
  });

  test("must exist if all accounts are known, except for the default one", () => {
    const made = (spec: string): string =>
      refusal(
        answerCreate(parse(pod(spec)), {
          version: "1.36",
          cluster: clusterOf(),
          now: "2026-01-01T00:00:00Z",
          knowsServiceAccounts: true,
        }),
      );
    assert.equal(made(""), "accepted");
    assert.equal(
      made("serviceAccountName: robot"),
      'pods "web" is forbidden: error looking up service account default/robot: serviceaccount "robot" not found',
    );
    assert.equal(refusal(create(pod("serviceAccountName: robot"))), "accepted");
  });

  const enforces = (value: string): string =>
    `{ kubernetes.io/enforce-mountable-secrets: "${value}" }`;
  const limited = (spec: string, value = "true"): string => {
    const cluster = account(
      "secrets: [{ name: own }], imagePullSecrets: [{ name: pull }]",
      enforces(value),
    );
    return refusal(create(pod(spec), cluster)).replace('pods "web" is forbidden: ', "");
  };
  const container = (fields: string): string => `{ name: c, image: i, ${fields} }`;
  const variable = "env: [{ name: A, valueFrom: { secretKeyRef: { name: other, key: k } } }]";
  const notIts =
    'secret.secretName="other" is not allowed because service account default does not reference that secret';

  test("can limit a pod to the account's own secrets", () => {
    const volume = (name: string): string =>
      `volumes: [{ name: v, secret: { secretName: ${name} } }]`;
    assert.equal(limited(volume("own")), "accepted");
    assert.equal(limited(volume("other")), `volume with ${notIts}`);
    assert.equal(limited(volume("other"), "false"), "accepted");
    assert.equal(limited(volume("other"), "yes"), "accepted");
    assert.equal(
      limited(`initContainers: [${container(variable)}]`),
      `init container c with envVar A referencing ${notIts}`,
    );
    assert.equal(
      limited(`initContainers: [${container("envFrom: [{ secretRef: { name: other } }]")}]`),
      `init container c with envFrom referencing ${notIts}`,
    );
    assert.equal(
      limited("imagePullSecrets: [{ name: pull }, { name: own }]"),
      'imagePullSecrets[1].name="own" is not allowed because service account default does not reference that imagePullSecret',
    );
  });

  test("does not limit secrets in projected volumes", () => {
    assert.equal(
      limited("volumes: [{ name: v, projected: { sources: [{ secret: { name: other } }] } }]"),
      "accepted",
    );
  });

  test("cannot be used by a mirror pod, nor can secrets", () => {
    const mirrored = (spec: string): string =>
      refusal(
        create(
          pod(
            `nodeName: one, serviceAccountName: "", ${spec}`,
            "annotations: { kubernetes.io/config.mirror: a }",
          ),
        ),
      ).replace('pods "web" is forbidden: a mirror pod may not ', "");
    assert.equal(mirrored(""), "accepted");
    assert.equal(mirrored("serviceAccount: a"), "reference service accounts");
    assert.equal(mirrored("imagePullSecrets: [{ name: a }]"), "reference secrets");
    assert.equal(mirrored(`initContainers: [${container(variable)}]`), "reference secrets");
    for (const source of [
      "secret: { secretName: a }",
      "azureFile: { shareName: s, secretName: a }",
      "csi: { driver: d, nodePublishSecretRef: { name: a } }",
      "rbd: { monitors: [m], image: i, secretRef: { name: a } }",
      "projected: { sources: [{ secret: { name: a } }] }",
    ])
      assert.equal(mirrored(`volumes: [{ name: v, ${source} }]`), "reference secrets", source);
    assert.equal(
      mirrored(
        "volumes: [{ name: v, projected: { sources: [{ serviceAccountToken: { path: t } }] } }]",
      ),
      "use ServiceAccountToken volume projections",
    );
  });
});
