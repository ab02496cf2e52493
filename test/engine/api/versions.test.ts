/** What servers before 1.36 refuse, drop and accept. */
import assert from "node:assert/strict";
import type { RequestAnswer } from "../../../src/engine/api/requests.ts";
import { modelSchemas } from "../../../src/engine/api/schema.ts";
import {
  atLeast,
  type KubernetesVersion,
  kubernetesVersions,
} from "../../../src/engine/scenario.ts";
import { fieldsSince } from "../../../src/engine/version-differences.ts";
import { clusterOf, create, field, refusal, replace } from "./answer.ts";

function pod(spec: string, container = ""): string {
  return `
apiVersion: v1
kind: Pod
metadata: { name: p, namespace: default }
spec:
  ${spec}
  containers: [{ name: c, image: i, ${container} }]
`;
}

function createdIn(version: KubernetesVersion, yaml: string): RequestAnswer {
  return create(yaml, clusterOf(), version);
}

function accepting(yaml: string): readonly KubernetesVersion[] {
  return kubernetesVersions.filter((version) => createdIn(version, yaml).ok);
}

/** The versions whose servers keep the field. */
function keeping(yaml: string, path: string): readonly KubernetesVersion[] {
  return kubernetesVersions.filter((version) => {
    const answer = createdIn(version, yaml);
    return answer.ok && field(answer, path) !== undefined;
  });
}

function since(version: KubernetesVersion): readonly KubernetesVersion[] {
  return kubernetesVersions.filter((each) => atLeast(each, version));
}

suite("Across versions of the API server", () => {
  test("later fields are unknown to older servers", () => {
    const rules =
      "restartPolicy: Never, restartPolicyRules: [{ action: Restart, exitCodes: { operator: In, values: [1] } }]";
    assert.equal(
      refusal(createdIn("1.33", pod("restartPolicy: Never", rules))),
      'Pod in version "v1" cannot be handled as a Pod: strict decoding error: unknown field "spec.containers[0].restartPolicyRules"',
    );
    assert.equal(
      refusal(createdIn("1.33", pod("hostnameOverride: web"))),
      'Pod in version "v1" cannot be handled as a Pod: strict decoding error: unknown field "spec.hostnameOverride"',
    );
    const driver = `
apiVersion: storage.k8s.io/v1
kind: CSIDriver
metadata: { name: d }
spec: { tokenRequests: [{ audience: a }], serviceAccountTokenInSecrets: true }
`;
    assert.deepEqual(accepting(driver), since("1.35"));
    assert.deepEqual(
      accepting(driver.replace("InSecrets: true", "InSecrets: null")),
      since("1.35"),
    );
    const waiting = driver.replace("serviceAccountTokenInSecrets", "preventPodSchedulingIfMissing");
    assert.deepEqual(accepting(waiting), since("1.36"));
    const mounts = "[{ name: v, mountPath: /v, volumeStatus: { image: { imageRef: r } } }]";
    const status = `\nstatus: { containerStatuses: [{ name: c, volumeMounts: ${mounts} }] }`;
    assert.deepEqual(accepting(pod("") + status), since("1.36"));
  });

  test("every later field exists today", () => {
    for (const path of fieldsSince.keys()) {
      const [model = "", name = ""] = path.split(".");
      assert.ok(modelSchemas[model]?.[name], path);
    }
  });

  test("a driver's update period and tokens in secrets are kept since 1.35", () => {
    const driver = `
apiVersion: storage.k8s.io/v1
kind: CSIDriver
metadata: { name: d }
spec: { nodeAllocatableUpdatePeriodSeconds: 60 }
`;
    assert.deepEqual(accepting(driver), since("1.33"));
    assert.deepEqual(keeping(driver, "spec.nodeAllocatableUpdatePeriodSeconds"), since("1.35"));
  });

  test("a node's declared features are kept since 1.36", () => {
    const node =
      "{ apiVersion: v1, kind: Node, metadata: { name: n }, status: { declaredFeatures: [A] } }";
    assert.deepEqual(accepting(node), since("1.35"));
    assert.equal(field(createdIn("1.35", node), "status.declaredFeatures"), undefined);
    assert.deepEqual(field(createdIn("1.36", node), "status.declaredFeatures"), ["A"]);
  });

  test("a storage class's fields are called immutable since 1.36", () => {
    const storageClass = (provisioner: string) =>
      `{ apiVersion: storage.k8s.io/v1, kind: StorageClass, metadata: { name: c }, provisioner: ${provisioner} }`;
    const said = (version: KubernetesVersion) =>
      refusal(replace(storageClass("a"), storageClass("b"), undefined, clusterOf(), version));
    assert.equal(said("1.35"), "provisioner: Forbidden: updates to provisioner are forbidden.");
    assert.equal(said("1.36"), 'provisioner: Invalid value: "b": field is immutable');
  });

  test("a type error names the embedded struct since 1.35", () => {
    const yaml = pod("", "env: []").replace("image: i", "image: i, volumeMounts: 1");
    const embedded = "volumes: [{ name: v, emptyDir: 1 }]";
    assert.match(
      refusal(createdIn("1.34", pod(embedded))),
      /field Volume\.spec\.volumes\.emptyDir/,
    );
    assert.match(
      refusal(createdIn("1.35", pod(embedded))),
      /field Volume\.spec\.volumes\.VolumeSource\.emptyDir/,
    );
    assert.equal(refusal(createdIn("1.34", yaml)), refusal(createdIn("1.35", yaml)));
  });

  test("fields of pods are dropped until their gates are on", () => {
    const cases: readonly (readonly [KubernetesVersion, string, string])[] = [
      ["1.33", pod("hostUsers: false"), "spec.hostUsers"],
      [
        "1.33",
        pod("securityContext: { supplementalGroupsPolicy: Strict }"),
        "spec.securityContext.supplementalGroupsPolicy",
      ],
      [
        "1.33",
        pod("securityContext: { seLinuxChangePolicy: Recursive }"),
        "spec.securityContext.seLinuxChangePolicy",
      ],
      [
        "1.33",
        pod("", "resizePolicy: [{ resourceName: cpu, restartPolicy: NotRequired }]"),
        "spec.containers.0.resizePolicy",
      ],
      ["1.34", pod("resources: { limits: { cpu: '1' } }"), "spec.resources"],
      [
        "1.34",
        pod(
          "resourceClaims: [{ name: r, resourceClaimName: r }]",
          "resources: { claims: [{ name: r }] }",
        ),
        "spec.containers.0.resources.claims",
      ],
      ["1.35", pod("hostnameOverride: web"), "spec.hostnameOverride"],
      [
        "1.35",
        pod(
          "volumes: [{ name: v, image: { reference: r } }]",
          "volumeMounts: [{ name: v, mountPath: /v }]",
        ),
        "spec.containers.0.volumeMounts",
      ],
    ];
    for (const [version, yaml, path] of cases)
      assert.deepEqual(keeping(yaml, path), since(version), path);
  });

  test("procMount Unmasked becomes Default until 1.32", () => {
    const yaml = pod("hostUsers: false", "securityContext: { procMount: Unmasked }");
    const path = "spec.containers.0.securityContext.procMount";
    assert.equal(field(createdIn("1.32", yaml), path), "Default");
    assert.equal(field(createdIn("1.33", yaml), path), "Unmasked");
  });

  test("templates lose the same fields as pods", () => {
    const set = `
apiVersion: apps/v1
kind: Deployment
metadata: { name: d, namespace: default }
spec:
  selector: { matchLabels: { a: b } }
  template:
    metadata: { labels: { a: b } }
    spec:
      containers: [{ name: c, image: i, volumeMounts: [{ name: w, mountPath: /w }, { name: v, mountPath: /v }] }]
      volumes: [{ name: v, image: { reference: r } }, { name: w, emptyDir: {} }]
`;
    const answer = createdIn("1.34", set);
    assert.deepEqual(field(answer, "spec.template.spec.volumes"), [{ name: "w", emptyDir: {} }]);
    assert.deepEqual(field(answer, "spec.template.spec.containers.0.volumeMounts"), [
      { name: "w", mountPath: "/w" },
    ]);
  });

  test("a variable that loses its file has no source left", () => {
    const yaml = pod(
      "volumes: [{ name: v, emptyDir: {} }]",
      "env: [{ name: A, valueFrom: { fileKeyRef: { volumeName: v, path: f, key: A } } }]",
    );
    assert.equal(
      refusal(createdIn("1.34", yaml)),
      'spec.containers[0].env[0].valueFrom: Invalid value: "": must specify one of: `fieldRef`, `resourceFieldRef`, `configMapKeyRef` or `secretKeyRef`',
    );
    assert.deepEqual(accepting(yaml), since("1.35"));
  });

  test("only sidecars may have a restart policy until 1.33; 1.34 drops others", () => {
    const own = pod("", "restartPolicy: OnFailure");
    assert.equal(
      refusal(createdIn("1.33", own)),
      "spec.containers[0].restartPolicy: Forbidden: may not be set for non-init containers",
    );
    const init = (policy: string) =>
      pod(`initContainers: [{ name: s, image: i, restartPolicy: ${policy} }]`);
    assert.equal(
      refusal(createdIn("1.33", init("Never"))),
      'spec.initContainers[0].restartPolicy: Unsupported value: "Never": supported values: "Always"',
    );
    assert.deepEqual(keeping(own, "spec.containers.0.restartPolicy"), since("1.35"));
    assert.deepEqual(keeping(init("Never"), "spec.initContainers.0.restartPolicy"), since("1.35"));
    assert.deepEqual(
      keeping(init("Always"), "spec.initContainers.0.restartPolicy"),
      kubernetesVersions,
    );
  });

  test("the action RestartAllContainers is refused by 1.35", () => {
    const rule = pod(
      "",
      "restartPolicy: Never, restartPolicyRules: [{ action: RestartAllContainers, exitCodes: { operator: In, values: [1] } }]",
    );
    assert.equal(
      refusal(createdIn("1.35", rule)),
      'spec.containers[0].restartPolicyRules[0].action: Unsupported value: "RestartAllContainers": supported values: "Restart"',
    );
    assert.equal(field(createdIn("1.34", rule), "spec.containers.0.restartPolicyRules"), undefined);
  });

  test("a sidecar must not have restart rules in 1.35, valid or not", () => {
    const sidecar = (rule: string): string =>
      pod(
        `initContainers: [{ name: s, image: i, restartPolicy: Always, restartPolicyRules: [${rule}] }]`,
      );
    const rule = "{ action: Restart, exitCodes: { operator: In, values: [1] } }";
    assert.ok(createdIn("1.36", sidecar(rule)).ok);
    for (const any of [rule, "{ action: Stop }"])
      assert.equal(
        refusal(createdIn("1.35", sidecar(any))),
        "spec.initContainers[0].restartPolicyRules: Forbidden: restartPolicyRules are not allowed for init containers with restart policy Always",
      );
    const path = "spec.initContainers.0.restartPolicyRules";
    assert.equal(field(createdIn("1.34", sidecar(rule)), path), undefined);
    assert.ok(createdIn("1.35", sidecar("")).ok);
  });

  test("an init container may be restarted for a resize until 1.35", () => {
    const policy = "resizePolicy: [{ resourceName: cpu, restartPolicy: RestartContainer }]";
    assert.deepEqual(
      accepting(pod(`initContainers: [{ name: i, image: b, ${policy} }]`)),
      kubernetesVersions.filter((version) => !atLeast(version, "1.36")),
    );
  });

  test("hooks must not sleep for zero seconds until 1.32", () => {
    const yaml = pod("", "lifecycle: { preStop: { sleep: { seconds: 0 } } }");
    assert.equal(
      refusal(createdIn("1.32", yaml)),
      "spec.containers[0].lifecycle.preStop.sleep: Invalid value: 0: must be greater than 0 and less than terminationGracePeriodSeconds (30). Enable AllowPodLifecycleSleepActionZeroValue feature gate for zero sleep.",
    );
    assert.deepEqual(accepting(yaml), since("1.33"));
  });

  test("search paths must be DNS subdomains until 1.32", () => {
    assert.deepEqual(accepting(pod("dnsConfig: { searches: [a_b.c] }")), since("1.33"));
    assert.deepEqual(accepting(pod('dnsConfig: { searches: ["."] }')), since("1.33"));
    assert.deepEqual(accepting(pod("dnsConfig: { searches: [a.c.] }")), kubernetesVersions);
  });

  test("ambiguous addresses are refused since 1.36", () => {
    const before = kubernetesVersions.filter((version) => !atLeast(version, "1.36"));
    const alias = (ip: string) => pod(`hostAliases: [{ ip: "${ip}", hostnames: [h] }]`);
    const service = (range: string) => `
apiVersion: v1
kind: Service
metadata: { name: s, namespace: default }
spec: { type: LoadBalancer, ports: [{ port: 80 }], loadBalancerSourceRanges: ["${range}"] }
`;
    for (const [yaml, complaint] of [
      [alias("10.0.0.010"), "must not have leading 0s"],
      [alias("64:ff9b::10.0.0.010"), "must not have leading 0s"],
      [alias("::ffff:10.0.0.1"), "must not be an IPv4-mapped IPv6 address"],
      [pod("dnsConfig: { nameservers: [010.0.0.1] }"), "must not have leading 0s"],
      [service("010.0.0.0/8"), "must not have leading 0s in IP or prefix length"],
      [service("10.0.0.0/08"), "must not have leading 0s in IP or prefix length"],
      [service("::ffff:10.0.0.0/104"), "must not have an IPv4-mapped IPv6 address"],
      [service("192.168.0.5/24"), "must not have bits set beyond the prefix length"],
      [service("2001:db8::1/64"), "must not have bits set beyond the prefix length"],
    ] as const) {
      assert.deepEqual(accepting(yaml), before, yaml);
      assert.ok(refusal(createdIn("1.36", yaml)).endsWith(`: ${complaint}`), yaml);
    }
    for (const good of [alias("0.0.0.0"), alias("2001:0db8::1"), service("10.0.0.0/8")])
      assert.deepEqual(accepting(good), kubernetesVersions, good);
    assert.deepEqual(accepting(service("2001:db8::/33")), kubernetesVersions);
  });

  test("quotas can have the scope VolumeAttributesClass since 1.33", () => {
    const quota = `
apiVersion: v1
kind: ResourceQuota
metadata: { name: q, namespace: default }
spec:
  hard: { persistentvolumeclaims: 1 }
  scopeSelector: { matchExpressions: [{ scopeName: VolumeAttributesClass, operator: In, values: [gold] }] }
`;
    assert.deepEqual(accepting(quota), since("1.33"));
    assert.match(
      refusal(createdIn("1.32", quota)),
      /scopeName: Invalid value: .*unsupported scope/,
    );
  });

  test("a suspended job can change its resources, and its scheduling after it has run, since 1.36", () => {
    const job = (spec: string, container = "") => `
apiVersion: batch/v1
kind: Job
metadata: { name: j, namespace: default }
spec:
  suspend: true
  manualSelector: true
  selector: { matchLabels: { a: b } }
  template:
    metadata: { labels: { a: b } }
    spec: { restartPolicy: Never, ${spec} containers: [{ name: c, image: i, ${container} }] }
`;
    const conditions = [{ type: "Suspended", status: "True" }];
    const changing = (next: string, status: unknown): readonly KubernetesVersion[] =>
      kubernetesVersions.filter(
        (version) => replace(job(""), next, status, clusterOf(), version).ok,
      );
    const larger = job("", "resources: { requests: { cpu: 1 } }");
    const elsewhere = job("nodeSelector: { a: b },");
    const startTime = "2026-01-01T00:00:00Z";
    assert.deepEqual(changing(larger, { conditions }), since("1.36"));
    assert.deepEqual(changing(elsewhere, { conditions }), kubernetesVersions);
    assert.deepEqual(changing(elsewhere, { conditions, startTime }), since("1.36"));
  });

  test("a pod with its own user namespace must have no block devices since 1.34", () => {
    const yaml = pod(
      "hostUsers: false\n  volumes: [{ name: v, persistentVolumeClaim: { claimName: c } }]",
      "volumeDevices: [{ name: v, devicePath: /dev/v }]",
    );
    assert.deepEqual(accepting(yaml), ["1.32", "1.33"]);
  });

  test("a load balancer may use the kubelet's port since 1.33", () => {
    const service = (type: string): string => `
apiVersion: v1
kind: Service
metadata: { name: s }
spec: { type: ${type}, ports: [{ name: a, port: 80 }, { name: b, port: 10250 }] }
`;
    assert.deepEqual(accepting(service("LoadBalancer")), since("1.33"));
    assert.equal(
      refusal(createdIn("1.32", service("LoadBalancer"))),
      "spec.ports[1]: Invalid value: 10250: may not expose port 10250 externally since it is used by kubelet",
    );
    assert.deepEqual(accepting(service("NodePort")), kubernetesVersions);
  });

  test("conditions in a CronJob's failure policy default to True since 1.34, and are refused before", () => {
    const cronJob = `
apiVersion: batch/v1
kind: CronJob
metadata: { name: c, namespace: default }
spec:
  schedule: "* * * * *"
  jobTemplate:
    spec:
      podFailurePolicy: { rules: [{ action: Ignore, onPodConditions: [{ type: DisruptionTarget }] }] }
      template: { spec: { restartPolicy: Never, containers: [{ name: c, image: i }] } }
`;
    const path = "spec.jobTemplate.spec.podFailurePolicy.rules.0.onPodConditions.0.status";
    assert.deepEqual(accepting(cronJob), since("1.34"));
    assert.equal(field(createdIn("1.34", cronJob), path), "True");
  });

  test("match label keys of spread constraints are merged into the selector since 1.34", () => {
    const yaml = pod(
      "topologySpreadConstraints: [{ maxSkew: 1, topologyKey: zone, whenUnsatisfiable: DoNotSchedule, matchLabelKeys: [app], labelSelector: {} }]",
    ).replace("namespace: default", "namespace: default, labels: { app: a }");
    const path = "spec.topologySpreadConstraints.0.labelSelector.matchExpressions";
    assert.deepEqual(keeping(yaml, path), since("1.34"));
  });

  test("match label keys of spread constraints must not be in the selector; the error has changed", () => {
    const refused = (keys: string, version: KubernetesVersion): string => {
      const constraint = `maxSkew: 1, topologyKey: zone, whenUnsatisfiable: DoNotSchedule, ${keys}`;
      const yaml = pod(`topologySpreadConstraints: [{ ${constraint} }]`);
      return refusal(createdIn(version, yaml)).replace("spec.topologySpreadConstraints", "");
    };
    const given = "matchLabelKeys: [app], labelSelector: { matchLabels: { app: a } }";
    const text = 'Invalid value: "app": exists in both matchLabelKeys and labelSelector';
    assert.equal(refused(given, "1.33"), `[0].matchLabelKeys[0]: ${text}`);
    const expression = "matchExpressions: [{ key: app, operator: Exists }]";
    assert.equal(
      refused(`matchLabelKeys: [app], labelSelector: { ${expression} }`, "1.32"),
      `[0].matchLabelKeys[0]: ${text}`,
    );
    assert.equal(
      refused("matchLabelKeys: ['!']", "1.33").split("\n")[0],
      "[0].matchLabelKeys: Forbidden: must not be specified when labelSelector is not set",
    );
    assert.match(
      refused("matchLabelKeys: ['!']", "1.33"),
      /matchLabelKeys\[0\]: Invalid value: "!"/,
    );
    assert.equal(refused("matchLabelKeys: [app], labelSelector: {}", "1.33"), "accepted");
  });

  test("AppArmor profiles in fields are copied to annotations until 1.33", () => {
    const yaml = `
apiVersion: v1
kind: Pod
metadata: { name: p, namespace: default }
spec:
  securityContext: { appArmorProfile: { type: RuntimeDefault } }
  initContainers: [{ name: open, image: i, securityContext: { appArmorProfile: { type: Unconfined } } }]
  containers:
    - { name: plain, image: i }
    - { name: own, image: i, securityContext: { appArmorProfile: { type: Localhost, localhostProfile: strict } } }
`;
    const annotations = (version: KubernetesVersion) =>
      field(createdIn(version, yaml), "metadata.annotations");
    const prefix = "container.apparmor.security.beta.kubernetes.io/";
    assert.deepEqual(annotations("1.33"), {
      [`${prefix}open`]: "unconfined",
      [`${prefix}plain`]: "runtime/default",
      [`${prefix}own`]: "localhost/strict",
    });
    assert.equal(annotations("1.34"), undefined);
    assert.equal(field(createdIn("1.33", pod("")), "metadata.annotations"), undefined);
  });

  test("a StatefulSet's service name must be valid since 1.33", () => {
    const set = `
apiVersion: apps/v1
kind: StatefulSet
metadata: { name: s, namespace: default }
spec:
  serviceName: My_Service
  selector: { matchLabels: { a: b } }
  template: { metadata: { labels: { a: b } }, spec: { containers: [{ name: c, image: i }] } }
`;
    assert.deepEqual(accepting(set), ["1.32"]);
  });

  test("a StatefulSet's history limit can be changed since 1.33", () => {
    const set = (limit: number) => `
apiVersion: apps/v1
kind: StatefulSet
metadata: { name: s, namespace: default, resourceVersion: "" }
spec:
  revisionHistoryLimit: ${limit}
  selector: { matchLabels: { a: b } }
  template: { metadata: { labels: { a: b } }, spec: { containers: [{ name: c, image: i }] } }
`;
    const cut = (version: KubernetesVersion) =>
      refusal(replace(set(3), set(2), undefined, clusterOf(), version));
    assert.equal(
      cut("1.32"),
      "spec: Forbidden: updates to statefulset spec for fields other than 'replicas', 'ordinals', 'template', 'updateStrategy', 'persistentVolumeClaimRetentionPolicy' and 'minReadySeconds' are forbidden",
    );
    assert.equal(cut("1.33"), "accepted");
  });

  test("values in a volume's node affinity must be label values since 1.33", () => {
    const volume = `
apiVersion: v1
kind: PersistentVolume
metadata: { name: v }
spec:
  capacity: { storage: 1Gi }
  accessModes: [ReadWriteOnce]
  hostPath: { path: /v }
  nodeAffinity:
    required: { nodeSelectorTerms: [{ matchExpressions: [{ key: k, operator: In, values: [a b] }] }] }
`;
    assert.deepEqual(accepting(volume), ["1.32"]);
  });

  test("services can prefer the same zone since 1.34, and start with a digit since 1.36", () => {
    const service = (name: string, spec: string) => `
apiVersion: v1
kind: Service
metadata: { name: ${name}, namespace: default }
spec: { ports: [{ port: 80 }], ${spec} }
`;
    assert.deepEqual(
      accepting(service("web", "trafficDistribution: PreferSameZone")),
      since("1.34"),
    );
    assert.deepEqual(accepting(service("1web", "")), since("1.36"));
    assert.equal(
      refusal(createdIn("1.35", service("1web", ""))),
      `metadata.name: Invalid value: "1web": a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?')`,
    );
  });
});
