import assert from "node:assert/strict";
import type { RequestAnswer } from "../../../src/engine/api/requests.ts";
import type { KubernetesVersion } from "../../../src/engine/scenario.ts";
import { create, field, patchStored, replace } from "./answer.ts";

const pod = (spec: string, container = "", annotations = "{}"): string => `
apiVersion: v1
kind: Pod
metadata: { name: web, annotations: ${annotations} }
spec: { containers: [{ name: app, image: busybox, ${container} }], ${spec} }`;

const deployment = (annotations: string): string => `
apiVersion: apps/v1
kind: Deployment
metadata: { name: web }
spec:
  selector: { matchLabels: { app: web } }
  template:
    metadata: { labels: { app: web }, annotations: ${annotations} }
    spec: { containers: [{ name: app, image: busybox }] }`;

function warnings(yaml: string, version?: KubernetesVersion): readonly string[] {
  return warningsIn(create(yaml, undefined, version));
}

function warningsIn(answer: RequestAnswer): readonly string[] {
  if (!answer.ok) throw new Error(answer.error.message);
  return answer.warnings;
}

suite("In pods, the API server warns about", () => {
  test("variables that repeat a name, unless they extend the previous value", () => {
    const hidden = 'hides previous definition of "A", which may be dropped when using apply';
    assert.deepEqual(
      warnings(
        pod(
          "",
          'env: [{ name: A, value: x }, { name: A, value: "$(A):y" }, { name: A, value: "$(A)" }, { name: A, value: z }, { name: A, valueFrom: { fieldRef: { fieldPath: metadata.name } } }]',
        ),
      ),
      [2, 3, 4].map((index) => `spec.containers[0].env[${index}]: ${hidden}`),
    );
  });

  test("init containers first", () => {
    const resources = "resources: { limits: { memory: 1500m } }";
    const fraction = 'fractional byte value "1500m" is invalid, must be an integer';
    const init = `initContainers: [{ name: i, image: b, ${resources} }]`;
    assert.deepEqual(warnings(pod(init, resources)), [
      `spec.initContainers[0].resources.limits[memory]: ${fraction}`,
      `spec.initContainers[0].resources.requests[memory]: ${fraction}`,
      `spec.containers[0].resources.limits[memory]: ${fraction}`,
      `spec.containers[0].resources.requests[memory]: ${fraction}`,
    ]);
  });

  test("ports, by number first, then by name", () => {
    const ports =
      "ports: [{ containerPort: 80, hostIP: 1.2.3.4, name: a }, { containerPort: 80, name: b }, { containerPort: 81, name: c }]";
    const init = `initContainers: [{ name: i, image: b, ports: [{ containerPort: 81, name: a }] }]`;
    const ofNumbers = [
      "spec.containers[0].ports[0]: hostIP set without hostPort: {Name:a HostPort:0 ContainerPort:80 Protocol:TCP HostIP:1.2.3.4}",
      "spec.containers[0].ports[1]: overlapping port definition with spec.containers[0].ports[0]",
      "spec.containers[0].ports[2]: duplicate port definition with spec.initContainers[0].ports[0]",
    ];
    assert.deepEqual(warnings(pod(init, ports)), [
      ...ofNumbers,
      'spec.containers[0].ports[0]: duplicate port name "a" with spec.initContainers[0].ports[0], services and probes that select ports by name will use spec.initContainers[0].ports[0]',
    ]);
    assert.deepEqual(warnings(pod(init, ports), "1.32"), ofNumbers);
  });

  test("git repositories as volumes, which are disabled since 1.33", () => {
    const git = pod("volumes: [{ name: a, gitRepo: { repository: r } }]");
    const deprecated = "spec.volumes[0].gitRepo: deprecated in v1.11";
    assert.deepEqual(warnings(git, "1.32"), [deprecated]);
    assert.deepEqual(warnings(git, "1.33"), [`${deprecated}, and disabled by default in v1.33+`]);
  });

  test("entries with the same key", () => {
    assert.deepEqual(
      warnings(
        pod(
          'imagePullSecrets: [{ name: a }, { name: a }, { name: "" }], hostAliases: [{ ip: 1.2.3.4 }, { ip: 1.2.3.4 }]',
        ),
      ),
      [
        'spec.hostAliases[1].ip: duplicate ip "1.2.3.4"',
        'spec.imagePullSecrets[1].name: duplicate name "a"',
        'spec.imagePullSecrets[2].name: invalid empty name ""',
      ],
    );
  });

  test("non-standard addresses, from 1.33 until they are refused", () => {
    const use = (address: string): string =>
      `will be considered invalid in a future Kubernetes release: use "${address}"`;
    assert.deepEqual(
      warnings(
        pod(
          "hostAliases: [{ ip: 010.0.0.1 }, { ip: '::ffff:1.2.3.4' }, { ip: '2001:DB8:0:0:1:0:0:1' }, { ip: '::' }]",
        ),
        "1.35",
      ),
      [
        `spec.hostAliases[0].ip: non-standard IP address "010.0.0.1" ${use("10.0.0.1")}`,
        `spec.hostAliases[1].ip: non-standard IP address "::ffff:1.2.3.4" ${use("1.2.3.4")}`,
        'spec.hostAliases[2].ip: IPv6 address "2001:DB8:0:0:1:0:0:1" should be in RFC 5952 canonical format ("2001:db8::1:0:0:1")',
      ],
    );
    const node =
      "{ apiVersion: v1, kind: Node, metadata: { name: a }, spec: { podCIDRs: [10.0.0.1/24] } }";
    for (const written of [pod("hostAliases: [{ ip: 010.0.0.1 }]"), node]) {
      assert.deepEqual(warnings(written, "1.32"), []);
      assert.equal(warnings(written, "1.33").length, 1);
    }
  });

  test("annotations that have become fields", () => {
    const annotations =
      '{ scheduler.alpha.kubernetes.io/critical-pod: "", seccomp.security.alpha.kubernetes.io/pod: runtime/default, container.apparmor.security.beta.kubernetes.io/app: runtime/default }';
    assert.deepEqual(warnings(deployment(annotations)), [
      'spec.template.metadata.annotations[scheduler.alpha.kubernetes.io/critical-pod]: non-functional in v1.16+; use the "priorityClassName" field instead',
      'spec.template.metadata.annotations[seccomp.security.alpha.kubernetes.io/pod]: non-functional in v1.27+; use the "seccompProfile" field instead',
      'spec.template.metadata.annotations[container.apparmor.security.beta.kubernetes.io/app]: deprecated since v1.30; use the "appArmorProfile" field instead',
    ]);
  });

  test("each pair of files in a volume whose paths overlap", () => {
    const sources =
      "[{ configMap: { name: c, items: [{ key: a, path: etc/a }, { key: b, path: etc }] } }, { secret: { name: s, items: [{ key: a, path: etc/a/ }] } }]";
    assert.deepEqual(warnings(pod(`volumes: [{ name: v, projected: { sources: ${sources} } }]`)), [
      'volume "v" (Projected): overlapping paths: "etc" (ConfigMap "c") with "etc/a" (ConfigMap "c")',
      'volume "v" (Projected): overlapping paths: "etc/a" (Secret "s") with "etc/a" (ConfigMap "c")',
      'volume "v" (Projected): overlapping paths: "etc/a" (Secret "s") with "etc" (ConfigMap "c")',
    ]);
  });

  test("preferred label values that are invalid", () => {
    const preferring = pod(
      "affinity: { nodeAffinity: { preferredDuringSchedulingIgnoredDuringExecution: [{ weight: 1, preference: { matchExpressions: [{ key: a, operator: In, values: [b c] }] } }] } }",
    );
    const [first = ""] = warnings(preferring);
    assert.match(
      first,
      /^spec\.affinity\.nodeAffinity\.preferredDuringSchedulingIgnoredDuringExecution\[0\]\.preference\.matchExpressions\[0\]\.values\[0\]: b c is invalid, a valid label must be/,
    );
    assert.deepEqual(warnings(preferring, "1.32"), []);
  });
});

suite("In workloads, the API server warns about", () => {
  const oldLabel = "nodeSelector: { beta.kubernetes.io/os: linux }";
  const noLabel = "nodeSelector: {}";
  const deprecated = 'deprecated since v1.14; use "kubernetes.io/os" instead';
  const selector = "spec.nodeSelector[beta.kubernetes.io/os]";
  const template = (policy = "Always", label = oldLabel): string =>
    `template: { metadata: { labels: { app: web } }, spec: { restartPolicy: ${policy}, ${label}, containers: [{ name: app, image: busybox }] } }`;
  const workload = (type: string, name: string, spec: string, annotation = "a"): string => {
    const [apiVersion = "", kind = ""] = type.split(" ");
    return `{ apiVersion: ${apiVersion}, kind: ${kind}, metadata: { name: ${name}, annotations: { note: ${annotation} } }, ${spec} }`;
  };
  const named =
    "metadata.name: this is used in Pod names and hostnames, which can result in surprising behavior; a DNS label is recommended: [must not contain dots]";
  const deployment = (replicas: number, annotation = "a"): string =>
    workload(
      "apps/v1 Deployment",
      "web",
      `spec: { replicas: ${replicas}, selector: { matchLabels: { app: web } }, ${template()} }`,
      annotation,
    );
  const cronJob = (suspend: boolean, annotation = "a"): string =>
    workload(
      "batch/v1 CronJob",
      "a.b",
      `spec: { schedule: "* * * * *", suspend: ${suspend}, jobTemplate: { spec: { ${template("Never")} } } }`,
      annotation,
    );
  const templateIn = (path: string): string => `${path}.${selector}: ${deprecated}`;

  test("pod templates, and names that pods get", () => {
    assert.deepEqual(warnings(workload("v1 PodTemplate", "a.b", template())), [
      templateIn("template"),
    ]);
    assert.deepEqual(
      warnings(workload("v1 ReplicationController", "a.b", `spec: { ${template()} }`)),
      [named, templateIn("spec.template")],
    );
    assert.deepEqual(warnings(cronJob(false)), [
      named,
      templateIn("spec.jobTemplate.spec.template"),
    ]);
  });

  test("an update that changes the spec in any way", () => {
    const again = [templateIn("spec.template")];
    assert.deepEqual(warningsIn(replace(deployment(1), deployment(1))), []);
    assert.deepEqual(warningsIn(replace(deployment(1), deployment(2))), again);
    assert.deepEqual(warningsIn(replace(deployment(1), deployment(1, "b"))), again);
    assert.deepEqual(warningsIn(replace(cronJob(true), cronJob(true, "b"))), []);
    assert.deepEqual(warningsIn(replace(cronJob(true), cronJob(false))), [
      templateIn("spec.jobTemplate.spec.template"),
    ]);
  });

  test("the old template of a ReplicationController", () => {
    const controller = (spec: string): string =>
      workload("v1 ReplicationController", "web", `spec: { ${spec} }`);
    const plain = template("Always", noLabel);
    assert.deepEqual(warningsIn(replace(controller(template()), controller(plain))), [
      templateIn("spec.template"),
    ]);
    assert.deepEqual(warningsIn(replace(controller(plain), controller(template()))), []);
  });

  test("more indexes than the Job controller can track", () => {
    const job = (parallelism: number): string =>
      workload(
        "batch/v1 Job",
        "many",
        `spec: { completionMode: Indexed, completions: 100001, parallelism: ${parallelism}, ${template("Never", noLabel)} }`,
      );
    assert.deepEqual(warnings(job(10_000)), []);
    assert.deepEqual(warnings(job(10_001)), [
      "spec: In Indexed Jobs with a number of completions higher than 10^5 and a parallelism higher than 10^4, Kubernetes might not be able to track completedIndexes when a big number of indexes fail",
    ]);
  });
});

suite("In other objects, the API server warns about", () => {
  const volume = (spec: string, annotations = ""): readonly string[] =>
    warnings(`
apiVersion: v1
kind: PersistentVolume
metadata: { name: disk, annotations: { ${annotations} } }
spec: { capacity: { storage: 1Gi }, accessModes: [ReadWriteOnce], nfs: { server: s, path: /p }, ${spec} }`);
  const zone = "failure-domain.beta.kubernetes.io/zone";
  const zoneIsOld = 'deprecated since v1.17; use "topology.kubernetes.io/zone" instead';

  test("annotations that have become fields", () => {
    const classIsOld =
      'metadata.annotations[volume.beta.kubernetes.io/storage-class]: deprecated since v1.8; use "storageClassName" attribute instead';
    assert.deepEqual(volume("", "volume.beta.kubernetes.io/storage-class: a"), [classIsOld]);
    assert.deepEqual(
      warnings(`
apiVersion: v1
kind: PersistentVolumeClaim
metadata: { name: data, annotations: { volume.beta.kubernetes.io/storage-class: a } }
spec: { accessModes: [ReadWriteOnce], resources: { requests: { storage: 1Gi } } }`),
      [classIsOld],
    );
    assert.deepEqual(volume("", "volume.beta.kubernetes.io/mount-options: ro"), [
      'metadata.annotations[volume.beta.kubernetes.io/mount-options]: deprecated since v1.31; use "mountOptions" attribute instead',
    ]);
  });

  test("volumes with the policy Recycle", () => {
    assert.deepEqual(volume("persistentVolumeReclaimPolicy: Retain"), []);
    assert.deepEqual(volume("persistentVolumeReclaimPolicy: Recycle"), [
      "spec.persistentVolumeReclaimPolicy: The Recycle reclaim policy is deprecated. Instead, the recommended approach is to use dynamic provisioning.",
    ]);
  });

  test("deprecated zone labels, wherever they describe topology", () => {
    const expression = `{ key: ${zone}, operator: In, values: [a] }`;
    assert.deepEqual(
      volume(
        `nodeAffinity: { required: { nodeSelectorTerms: [{ matchExpressions: [${expression}] }] } }`,
      ),
      [
        `spec.nodeAffinity.required.nodeSelectorTerms[0].matchExpressions[0].key: ${zone} is ${zoneIsOld}`,
      ],
    );
    assert.deepEqual(
      warnings(`
apiVersion: storage.k8s.io/v1
kind: StorageClass
metadata: { name: fast }
provisioner: a
allowedTopologies: [{ matchLabelExpressions: [{ key: ${zone}, values: [a] }] }]`),
      [`allowedTopologies[0].matchLabelExpressions[0].key: ${zoneIsOld}`],
    );
    assert.deepEqual(
      warnings(`
apiVersion: storage.k8s.io/v1
kind: CSIStorageCapacity
metadata: { name: here, namespace: default }
storageClassName: fast
nodeTopology: { matchLabels: { ${zone}: a }, matchExpressions: [${expression}] }`),
      [
        `nodeTopology.matchExpressions[0].key: ${zone} is ${zoneIsOld}`,
        `nodeTopology.matchLabels.${zone}: ${zoneIsOld}`,
      ],
    );
  });

  test("non-standard CIDRs of nodes", () => {
    const node = (range: string, version?: KubernetesVersion): readonly string[] =>
      warnings(
        `{ apiVersion: v1, kind: Node, metadata: { name: a }, spec: { podCIDRs: ["${range}"] } }`,
        version,
      );
    assert.deepEqual(node("10.0.0.0/24"), []);
    assert.deepEqual(node("10.0.0.1/24", "1.35"), [
      'spec.podCIDRs[0]: CIDR value "10.0.0.1/24" is ambiguous in this context (should be "10.0.0.0/24" or "10.0.0.1/32"?)',
    ]);
    assert.deepEqual(node("2001:db8:0:0::/64"), [
      'spec.podCIDRs[0]: IPv6 CIDR value "2001:db8:0:0::/64" should be in RFC 5952 canonical format ("2001:db8::/64")',
    ]);
  });

  test("fields of nodes that are no longer used", () => {
    const node = (spec: string): string =>
      `{ apiVersion: v1, kind: Node, metadata: { name: a }, spec: { ${spec} } }`;
    const deprecated = "spec.externalID: this field is deprecated, and is unused by Kubernetes";
    const made = create(node("configSource: {}, externalID: a"));
    assert.deepEqual(warningsIn(made), [deprecated]);
    assert.equal(field(made, "spec.configSource"), undefined);
    const added = replace(node(""), node("configSource: {}"));
    assert.deepEqual(warningsIn(added), []);
    assert.equal(field(added, "spec.configSource"), undefined);
    const kept = patchStored(node("configSource: {}"), "spec: { unschedulable: true }");
    assert.deepEqual(warningsIn(kept), ["spec.configSource: the feature is removed"]);
    assert.deepEqual(field(kept, "spec.configSource"), {});
  });

  test("everything up to 4,096 characters, and beyond that with 256 characters each", () => {
    const pod = (name: string, count: number): readonly string[] =>
      warnings(
        `{ apiVersion: v1, kind: Pod, metadata: { name: p }, spec: { containers: [{ name: c, image: i, env: [${`{ name: ${name} }, `.repeat(count)}] }] } }`,
      );
    const hides = (index: number, name: string): string =>
      `spec.containers[0].env[${index}]: hides previous definition of "${name}", which may be dropped when using apply`;
    const short = pod("a", 60);
    assert.deepEqual(
      short,
      short.map((_, index) => hides(index + 1, "a")),
    );
    assert.equal(short.length, Math.ceil(4096 / hides(10, "a").length));
    const long = "a".repeat(300);
    assert.deepEqual(
      pod(long, 11),
      [1, 2, 3, 4, 5, 6, 7, 8, 9, 10].map((n) => hides(n, long)),
    );
    assert.deepEqual(
      pod(long, 30),
      Array.from({ length: 16 }, (_, index) => hides(index + 1, long).slice(0, 256)),
    );
  });

  test("nothing that contains a line break", () => {
    const preferred = (value: string): readonly string[] =>
      warnings(
        `{ apiVersion: v1, kind: Pod, metadata: { name: p }, spec: { containers: [{ name: c, image: i }], affinity: { nodeAffinity: { preferredDuringSchedulingIgnoredDuringExecution: [{ weight: 1, preference: { matchExpressions: [{ key: k, operator: In, values: [${value}] }] } }] } } } }`,
      );
    assert.equal(preferred('"a b"').length, 1);
    assert.deepEqual(preferred('"a\\nb"'), []);
  });

  const service = (
    spec: string,
    { annotations = "", version }: { annotations?: string; version?: KubernetesVersion } = {},
  ): readonly string[] =>
    warnings(
      `{ apiVersion: v1, kind: Service, metadata: { name: db, annotations: { ${annotations} } }, spec: { ports: [{ port: 80 }], ${spec} } }`,
      version,
    );

  test("fields of services that are ignored", () => {
    const outside = "externalIPs: [10.0.0.1]";
    assert.deepEqual(service("clusterIP: None"), []);
    assert.deepEqual(
      service(`clusterIP: None, sessionAffinity: ClientIP, loadBalancerIP: 10.0.0.2, ${outside}`),
      [
        "spec.loadBalancerIP is ignored for headless services",
        "spec.externalIPs is ignored for headless services",
        "spec.SessionAffinity is ignored for headless services",
      ],
    );
    assert.deepEqual(
      service(`clusterIP: None, sessionAffinity: ClientIP, ${outside}`, { version: "1.33" }),
      [],
    );
    assert.deepEqual(service("externalName: db.example.com"), [
      'spec.externalName is ignored when spec.type is not "ExternalName"',
    ]);
    assert.deepEqual(service(`type: ExternalName, externalName: db.example.com, ${outside}`), [
      'spec.externalIPs is ignored when spec.type is "ExternalName"',
    ]);
    const hints = "service.kubernetes.io/topology-aware-hints";
    assert.deepEqual(service("", { annotations: `${hints}: auto` }), [
      `annotation ${hints} is deprecated, please use service.kubernetes.io/topology-mode instead`,
    ]);
  });

  test("deprecated fields of services", () => {
    const outside = "sessionAffinity: ClientIP, externalIPs: [10.0.0.1]";
    assert.deepEqual(service(outside), [
      "spec.externalIPs is deprecated and may no longer be implemented in some clusters",
    ]);
    assert.deepEqual(service(outside, { version: "1.35" }), []);
    const close = "trafficDistribution: PreferClose";
    assert.deepEqual(service(close), [
      'spec.trafficDistribution: "PreferClose" is deprecated; use "PreferSameZone"',
    ]);
    assert.deepEqual(service(close, { version: "1.34" }), []);
    assert.deepEqual(service("trafficDistribution: PreferSameZone"), []);
  });

  test("non-standard addresses and CIDRs of services", () => {
    const ranges = (range: string, version?: KubernetesVersion): readonly string[] =>
      service(`type: LoadBalancer, loadBalancerSourceRanges: ["${range}"]`, {
        ...(version === undefined ? {} : { version }),
      }).map((warning) => warning.replace("spec.loadBalancerSourceRanges[0]: ", ""));
    const invalidSoon = "will be considered invalid in a future Kubernetes release: use";
    assert.deepEqual(ranges("192.12.2.0/24"), []);
    assert.deepEqual(ranges("2001:db8::/64"), []);
    assert.deepEqual(ranges("2001:db8:0:0::/64"), [
      'IPv6 CIDR value "2001:db8:0:0::/64" should be in RFC 5952 canonical format ("2001:db8::/64")',
    ]);
    const ambiguous = (range: string, ...better: readonly string[]): string =>
      `CIDR value "${range}" is ambiguous in this context (should be "${better.join('" or "')}"?)`;
    assert.deepEqual(ranges("192.12.2.8/24", "1.35"), [
      ambiguous("192.12.2.8/24", "192.12.2.0/24", "192.12.2.8/32"),
    ]);
    assert.deepEqual(ranges("2001:db8::1/64", "1.35"), [
      ambiguous("2001:db8::1/64", "2001:db8::/64", "2001:db8::1/128"),
    ]);
    assert.deepEqual(ranges("192.12.2.0/024", "1.35"), [
      `non-standard CIDR value "192.12.2.0/024" ${invalidSoon} "192.12.2.0/24"`,
    ]);
    assert.deepEqual(ranges("::ffff:192.12.2.0/120", "1.35"), [
      `non-standard CIDR value "::ffff:192.12.2.0/120" ${invalidSoon} "192.12.2.0/24"`,
    ]);
    assert.deepEqual(ranges("192.012.2.8/24", "1.35"), [
      ambiguous("192.012.2.8/24", "192.12.2.0/24", "192.12.2.8/32"),
      `non-standard CIDR value "192.012.2.8/24" ${invalidSoon} "192.12.2.0/24"`,
    ]);
    const addresses = `ipFamilyPolicy: PreferDualStack, clusterIPs: ["2001:db8:0:0::2", 192.012.2.2], clusterIP: "2001:db8:0:0::2", externalIPs: ["64:ff9b::10.0.0.010"], loadBalancerIP: "::ffff:1.2.3.4"`;
    assert.deepEqual(service(addresses, { version: "1.35" }), [
      'spec.clusterIPs[0]: IPv6 address "2001:db8:0:0::2" should be in RFC 5952 canonical format ("2001:db8::2")',
      `spec.clusterIPs[1]: non-standard IP address "192.012.2.2" ${invalidSoon} "192.12.2.2"`,
      `spec.externalIPs[0]: non-standard IP address "64:ff9b::10.0.0.010" ${invalidSoon} "64:ff9b::a00:a"`,
      `spec.loadBalancerIP: non-standard IP address "::ffff:1.2.3.4" ${invalidSoon} "1.2.3.4"`,
    ]);
  });

  test("invalid addresses that a stored service may keep", () => {
    const service =
      "{ apiVersion: v1, kind: Service, metadata: { name: s, namespace: default }, spec: { clusterIP: 10.0.0.9, clusterIPs: [10.0.0.9], ports: [{ port: 1 }], type: LoadBalancer, loadBalancerIP: 010.1.2.3, loadBalancerSourceRanges: [10.0.0.0/08] } }";
    assert.deepEqual(warningsIn(patchStored(service, "metadata: { labels: { a: b } }")), [
      'spec.loadBalancerIP: non-standard IP address "010.1.2.3" is invalid: use "10.1.2.3"',
      'spec.loadBalancerSourceRanges[0]: non-standard CIDR value "10.0.0.0/08" is invalid: use "10.0.0.0/8"',
    ]);
  });

  test("service accounts when the annotation about mountable secrets is added", () => {
    const account = (secrets: string, annotations = ""): string =>
      `{ apiVersion: v1, kind: ServiceAccount, metadata: { name: a, namespace: default, annotations: { ${annotations} } }, secrets: [${secrets}] }`;
    const enforced = "kubernetes.io/enforce-mountable-secrets: 'true'";
    const warning =
      "metadata.annotations[kubernetes.io/enforce-mountable-secrets]: deprecated in v1.32+; prefer separate namespaces to isolate access to mounted secrets";
    assert.deepEqual(warnings(account("", enforced)), [warning]);
    assert.deepEqual(warningsIn(replace(account(""), account("", enforced))), [warning]);
    const again = replace(account("", enforced), account("{ name: b }", enforced));
    assert.deepEqual(warningsIn(again), []);
  });

  test("TLS secrets without a certificate or a key", () => {
    const secret = (certificate: string, key: string): string => `
apiVersion: v1
kind: Secret
metadata: { name: a }
type: kubernetes.io/tls
stringData: { tls.crt: ${JSON.stringify(certificate)}, tls.key: ${JSON.stringify(key)} }`;
    const said = (certificate: string, key: string): readonly string[] =>
      warnings(secret(certificate, key));
    const block = (type: string, body = "AAAA\nAA==\n"): string =>
      `-----BEGIN ${type}-----\n${body}-----END ${type}-----\n`;
    const certificate = block("CERTIFICATE");
    const key = block("PRIVATE KEY");
    const inCertificate = "tls: failed to find any PEM data in certificate input";
    assert.deepEqual(said(certificate, key), []);
    assert.deepEqual(
      said(`text\n${key}${certificate}`, `${certificate}${block("EC PRIVATE KEY")}`),
      [],
    );
    assert.deepEqual(
      said(certificate.replaceAll("\n", "\r\n"), block("A PRIVATE KEY", "a: b\n\n")),
      [],
    );
    for (const broken of ["", "x", `x${certificate}`, block("CERTIFICATE", "AAA\n")])
      assert.deepEqual(said(broken, ""), [inCertificate], broken);
    assert.deepEqual(said(key, certificate), [
      "tls: failed to find certificate PEM data in certificate input, but did find a private key; PEM inputs may have been switched",
    ]);
    assert.deepEqual(said(block("A") + block("B"), key), [
      'tls: failed to find "CERTIFICATE" PEM block in certificate input after skipping PEM blocks of the following types: [A B]',
    ]);
    assert.deepEqual(said(certificate, ""), ["tls: failed to find any PEM data in key input"]);
    assert.deepEqual(said(certificate, certificate), [
      "tls: found a certificate rather than a key in the PEM for the private key",
    ]);
    assert.deepEqual(said(certificate, block("MY-PRIVATE KEY")), [
      'tls: failed to find PEM block with type ending in "PRIVATE KEY" in key input after skipping PEM blocks of the following types: [MY-PRIVATE KEY]',
    ]);
    const changed = replace(secret(certificate, key), secret(certificate, ""));
    assert.deepEqual(warningsIn(changed), ["tls: failed to find any PEM data in key input"]);
    assert.deepEqual(warnings(secret("", "").replace("kubernetes.io/tls", "a/b")), []);
  });

  test("StatefulSets that keep every revision, since 1.33", () => {
    const set = `
apiVersion: apps/v1
kind: StatefulSet
metadata: { name: db }
spec:
  revisionHistoryLimit: -1
  selector: { matchLabels: { app: db } }
  template:
    metadata: { labels: { app: db } }
    spec: { containers: [{ name: app, image: busybox }] }`;
    assert.deepEqual(warnings(set, "1.33"), [
      "spec.revisionHistoryLimit: a negative value retains all historical revisions; a value >= 0 is recommended",
    ]);
    assert.deepEqual(warnings(set, "1.32"), []);
  });
});
