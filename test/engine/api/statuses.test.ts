/** Validation of status updates. */
import assert from "node:assert/strict";
import type { KubernetesVersion } from "../../../src/engine/scenario.ts";
import { field, refusal, replace, report, reportAgain } from "./answer.ts";

const workload = (kind: string, status = ""): string => `
apiVersion: apps/v1
kind: ${kind}
metadata: { name: web, namespace: default }
spec:
  selector: { matchLabels: { app: web } }
  template: { metadata: { labels: { app: web } }, spec: { containers: [{ name: c, image: i }] } }
${status}`;

const job =
  "{ apiVersion: batch/v1, kind: Job, metadata: { name: a, namespace: default }, spec: { template: { spec: { restartPolicy: Never, containers: [{ name: c, image: i }] } } } }";

suite("The pod counts in a status", () => {
  test("must not exceed the replicas", () => {
    assert.equal(
      refusal(
        report(
          workload("Deployment"),
          "{ replicas: 1, updatedReplicas: 2, readyReplicas: 1, availableReplicas: 2, unavailableReplicas: -1 }",
        ),
      ),
      [
        "status.unavailableReplicas: Invalid value: -1: must be greater than or equal to 0",
        "status.updatedReplicas: Invalid value: 2: cannot be greater than status.replicas",
        "status.availableReplicas: Invalid value: 2: cannot be greater than status.replicas",
        "status.availableReplicas: Invalid value: 2: cannot be greater than readyReplicas",
      ].join("\n"),
    );
    assert.equal(
      refusal(report(workload("ReplicaSet"), "{ replicas: 1, fullyLabeledReplicas: 2 }")),
      "status.fullyLabeledReplicas: Invalid value: 2: cannot be greater than status.replicas",
    );
    assert.equal(
      refusal(report(workload("StatefulSet"), "{ replicas: 2, availableReplicas: 1 }")),
      "status.availableReplicas: Invalid value: 1: cannot be greater than status.readyReplicas",
    );
  });

  test("must not be negative", () => {
    const counts = (object: string, status: string, name: string): void => {
      const text = "Invalid value: -1: must be greater than or equal to 0";
      assert.equal(refusal(report(object, status)), `status.${name}: ${text}`);
    };
    counts(
      workload("DaemonSet"),
      "{ currentNumberScheduled: 0, desiredNumberScheduled: 0, numberMisscheduled: -1, numberReady: 0 }",
      "numberMisscheduled",
    );
    counts(
      "{ apiVersion: policy/v1, kind: PodDisruptionBudget, metadata: { name: a, namespace: default } }",
      "{ currentHealthy: -1, desiredHealthy: 0, disruptionsAllowed: 0, expectedPods: 0 }",
      "currentHealthy",
    );
    counts(job, "{ active: -1 }", "active");
  });

  test("must not have more ready than active pods in a Job, unless that was so before", () => {
    const tooMany = "status.ready: Invalid value: 2: cannot set more ready pods than active";
    assert.equal(refusal(report(job, "{ active: 2, ready: 2 }")), "accepted");
    assert.equal(refusal(report(job, "{ active: 1, ready: 2 }")), tooMany);
    const before = job.replace(/}$/, ", status: { ready: 2 } }");
    assert.equal(refusal(reportAgain(before, "{ ready: 2, failed: 1 }")), "accepted");
    assert.equal(refusal(reportAgain(before, "{ active: 1, ready: 2 }")), tooMany);
  });

  test("must not decrease the collision count", () => {
    const before = workload("Deployment", "status: { collisionCount: 2 }");
    const answer = (status: string): string => refusal(reportAgain(before, status));
    assert.equal(answer("{ collisionCount: 2 }"), "accepted");
    for (const [status, value] of [
      ["{ collisionCount: 1 }", 1],
      ["{}", 0],
    ] as const)
      assert.equal(
        answer(status),
        `status.collisionCount: Invalid value: ${value}: cannot be decremented`,
      );
  });
});

suite("The status", () => {
  test("of a namespace must agree with its deletion timestamp", () => {
    const namespace = "{ apiVersion: v1, kind: Namespace, metadata: { name: a } }";
    assert.equal(refusal(report(namespace, "{}")), "accepted");
    assert.equal(
      refusal(report(namespace, "{ phase: Terminating }")),
      "status.Phase: Invalid value: \"Terminating\": may only be 'Active' if `deletionTimestamp` is empty",
    );
    const going = namespace.replace(
      "name: a",
      'name: a, deletionTimestamp: "2026-01-01T00:00:00Z"',
    );
    assert.equal(
      refusal(reportAgain(going, "{ phase: Active }")),
      "status.Phase: Invalid value: \"Active\": may only be 'Terminating' if `deletionTimestamp` is not empty",
    );
  });

  test("of a node must have whole extended resources, and each address once", () => {
    const node = "{ apiVersion: v1, kind: Node, metadata: { name: a } }";
    assert.equal(
      refusal(
        report(
          node,
          "{ capacity: { example.com/disk: 1500m }, allocatable: { cpu: 1500m }, addresses: [{ type: InternalIP, address: 10.0.0.1 }, { type: Hostname, address: 10.0.0.1 }, { type: InternalIP, address: 10.0.0.1 }] }",
        ),
      ),
      [
        'status.capacity.example.com/disk: Invalid value: "1500m": must be an integer',
        'status.addresses[2]: Duplicate value: {"Type":"InternalIP","Address":"10.0.0.1"}',
      ].join("\n"),
    );
  });

  test("of a quota must have known resources", () => {
    const quota =
      "{ apiVersion: v1, kind: ResourceQuota, metadata: { name: a, namespace: default } }";
    assert.equal(
      refusal(report(quota, "{ hard: { storage: 1Gi }, used: { pods: 1500m } }")),
      [
        'status.hard[storage]: Invalid value: "storage": must be a standard resource for quota',
        'status.used[pods]: Invalid value: "1500m": must be an integer',
      ].join("\n"),
    );
  });
});

suite("A status update loses", () => {
  const reported = (before: string, status: string, version: KubernetesVersion): unknown => {
    const answer = reportAgain(before, status, version);
    assert.ok(answer.ok);
    return (answer.object as { readonly status?: unknown }).status;
  };

  test("the attributes class of a claim before 1.34, unless it is stored", () => {
    const claim = (status: string): string =>
      `{ apiVersion: v1, kind: PersistentVolumeClaim, metadata: { name: c, namespace: default }, spec: { accessModes: [ReadWriteOnce], resources: { requests: { storage: 1Gi } } }, status: ${status} }`;
    const next = "{ phase: Bound, currentVolumeAttributesClassName: gold }";
    const gold = { phase: "Bound", currentVolumeAttributesClassName: "gold" };
    assert.deepEqual(reported(claim("{ phase: Bound }"), next, "1.33"), { phase: "Bound" });
    assert.deepEqual(reported(claim("{ phase: Bound }"), next, "1.34"), gold);
    const silver = "{ phase: Bound, currentVolumeAttributesClassName: silver }";
    assert.deepEqual(reported(claim(silver), next, "1.33"), gold);
  });

  test("the error code of an attachment before 1.35, unless it is stored", () => {
    const attachment = (status: string): string =>
      `{ apiVersion: storage.k8s.io/v1, kind: VolumeAttachment, metadata: { name: a }, spec: { attacher: d, nodeName: n, source: { persistentVolumeName: v } }, status: ${status} }`;
    const error = (code: string): string =>
      `{ attached: false, attachError: { message: full${code} } }`;
    const coded = { attached: false, attachError: { message: "full", errorCode: 8 } };
    const bare = { attached: false, attachError: { message: "full" } };
    const next = error(", errorCode: 8");
    assert.deepEqual(reported(attachment(error("")), next, "1.34"), bare);
    assert.deepEqual(reported(attachment(error("")), next, "1.35"), coded);
    assert.deepEqual(reported(attachment(error(", errorCode: 5")), next, "1.34"), coded);
  });

  test("the number of terminating replicas before 1.35, unless it is stored", () => {
    const counted = "{ replicas: 1, terminatingReplicas: 2 }";
    for (const kind of ["Deployment", "ReplicaSet"]) {
      const set = (status: string): string => workload(kind, `status: ${status}`);
      const told = (before: string, version: KubernetesVersion): boolean =>
        JSON.stringify(reported(set(before), counted, version)).includes("terminating");
      assert.equal(told("{ replicas: 1 }", "1.34"), false);
      assert.equal(told("{ replicas: 1 }", "1.35"), true);
      assert.equal(told("{ replicas: 1, terminatingReplicas: 1 }", "1.34"), true);
    }
  });

  test("the configuration of a node, unless it is stored", () => {
    const node = (status: string): string =>
      `{ apiVersion: v1, kind: Node, metadata: { name: n }, status: ${status} }`;
    const config = "{ config: { error: e } }";
    assert.equal(JSON.stringify(reported(node("{}"), config, "1.36")).includes("error"), false);
    assert.equal(JSON.stringify(reported(node(config), config, "1.36")).includes("error"), true);
  });
});

suite("Metadata in a status update", () => {
  const attachment =
    "{ apiVersion: storage.k8s.io/v1, kind: VolumeAttachment, metadata: { name: v }, spec: { attacher: d, nodeName: n, source: { persistentVolumeName: p } } }";
  const pod =
    "{ apiVersion: v1, kind: Pod, metadata: { name: p }, spec: { containers: [{ name: c, image: i }] } }";
  const owner = "{ apiVersion: v1, kind: Node, name: n, uid: u }";
  const sent = `{ labels: { a: b }, annotations: { a: b }, finalizers: [a.b/c], ownerReferences: [${owner}] }`;
  const kept = (before: string, status: string): readonly string[] => {
    const answer = report(before, status, sent);
    const names = ["labels", "annotations", "finalizers", "ownerReferences"];
    return names.filter((name) => field(answer, `metadata.${name}`) === undefined);
  };

  test("are ignored for attachments and custom resources", () => {
    const all = ["labels", "annotations", "finalizers", "ownerReferences"];
    assert.deepEqual(kept(attachment, "{ attached: true }"), all);
    const snapshot =
      "{ apiVersion: snapshot.storage.k8s.io/v1, kind: VolumeSnapshot, metadata: { name: s }, spec: { source: { persistentVolumeClaimName: a } } }";
    assert.deepEqual(kept(snapshot, "{ readyToUse: true }"), all);
    const named = report(snapshot, "{ readyToUse: true }", "{ generateName: a- }");
    assert.equal(field(named, "metadata.generateName"), undefined);
  });

  test("are accepted for others, except for labels of Deployments and owners of pods", () => {
    assert.deepEqual(kept(workload("StatefulSet"), "{ replicas: 1 }"), []);
    assert.deepEqual(kept(workload("Deployment"), "{ replicas: 1 }"), ["labels"]);
    assert.deepEqual(kept(pod, "{ phase: Running, qosClass: BestEffort }"), ["ownerReferences"]);
  });

  test("cannot start a deletion: it is ignored for pods and attachments, refused for others", () => {
    const going = (before: string, status: string) =>
      report(before, status, "{ deletionTimestamp: 2026-01-01T00:00:00Z }");
    for (const before of [pod, attachment]) {
      const status = before === pod ? "{ phase: Running, qosClass: BestEffort }" : "{}";
      assert.equal(field(going(before, status), "metadata.deletionTimestamp"), undefined);
    }
    assert.match(
      refusal(going(workload("StatefulSet"), "{ replicas: 1 }")),
      /^metadata.deletionTimestamp: Invalid value: "2026.*": field is immutable$/m,
    );
  });

  test("are validated by the server and by the kind's strategy", () => {
    const text = "name is neither a standard finalizer name nor is it fully qualified";
    const told = (before: string): string =>
      refusal(report(before, "{}", "{ labels: { a: -b }, finalizers: [stay] }"));
    const own = `metadata.finalizers[0]: Invalid value: "stay": ${text}`;
    assert.equal(told(workload("StatefulSet")).split("\n").at(-1), own);
    assert.equal(told(workload("StatefulSet")).split("metadata.labels: ").length, 4);
    const budget =
      "{ apiVersion: policy/v1, kind: PodDisruptionBudget, metadata: { name: a, namespace: default } }";
    assert.equal(told(budget).split("\n").length, 2);
  });
});

suite("The status of a pod", () => {
  const pod = (spec: string, status: string): string => `
apiVersion: v1
kind: Pod
metadata: { name: web, namespace: default }
spec: { ${spec}, containers: [{ name: c, image: i }] }
status: ${status}
`;
  const ended = (code: number): string =>
    `{ containerStatuses: [{ name: c, image: i, imageID: "", ready: false, restartCount: 0, state: { terminated: { exitCode: ${code} } } }] }`;
  const running = ended(0).replace("terminated: { exitCode: 0 }", "running: {}");
  const again = (spec: string, code: number): string =>
    refusal(reportAgain(pod(spec, ended(code)), running));
  const refused =
    "status.containerStatuses[0].state: Forbidden: may not be transitioned to non-terminated state";

  test("must not run a terminated container again", () => {
    assert.equal(again("restartPolicy: Never", 1), refused);
    assert.equal(again("restartPolicy: OnFailure", 0), refused);
    assert.equal(again("restartPolicy: OnFailure", 1), "accepted");
    assert.equal(again("restartPolicy: Always", 0), "accepted");
    const rules = (action: string): string =>
      `restartPolicyRules: [{ action: ${action}, exitCodes: { operator: In, values: [1] } }]`;
    const beside = (action: string): string =>
      `restartPolicy: Never, initContainers: [{ name: d, image: i, restartPolicy: Never, ${rules(action)} }]`;
    assert.equal(again(beside("Restart"), 1), refused);
    assert.equal(again(beside("RestartAllContainers"), 1), "accepted");
  });

  test("may run a terminated container again if its rules or its own policy restart it", () => {
    const own = (policy: string, own: string, code: number): string =>
      refusal(
        reportAgain(
          pod(`restartPolicy: ${policy}`, ended(code)).replace("image: i }", `image: i, ${own} }`),
          running,
        ),
      );
    const rule =
      "restartPolicyRules: [{ action: Restart, exitCodes: { operator: In, values: [1] } }]";
    assert.equal(own("Never", `restartPolicy: Never, ${rule}`, 1), "accepted");
    assert.equal(own("Never", `restartPolicy: Never, ${rule}`, 2), refused);
    assert.equal(own("Always", `restartPolicy: OnFailure, ${rule}`, 0), refused);
    assert.equal(own("Never", "restartPolicy: Always", 0), "accepted");
    const more = ended(0).replace(
      "}] }",
      '}, { name: gone, image: i, imageID: "", ready: false, restartCount: 0, state: { terminated: { exitCode: 0 } } }] }',
    );
    assert.equal(
      refusal(
        reportAgain(
          pod("restartPolicy: Always", more),
          more.replaceAll("terminated: { exitCode: 0 }", "running: {}"),
        ),
      ),
      refused.replace("[0]", "[1]"),
    );
  });

  test("keeps the QoS class, and must have valid node names and condition types", () => {
    const report = (before: string, status: string) =>
      reportAgain(pod("restartPolicy: Never", before), status);
    assert.equal(
      field(report("{ qosClass: Burstable }", "{ phase: Running }"), "status.qosClass"),
      "Burstable",
    );
    assert.equal(
      refusal(report("{ qosClass: Burstable }", "{ qosClass: Guaranteed }")),
      'status.qosClass: Invalid value: "Guaranteed": field is immutable',
    );
    assert.match(
      refusal(report("{}", "{ nominatedNodeName: A }")),
      /^status.nominatedNodeName: Invalid value: "A": a lowercase/,
    );
    assert.equal(
      refusal(report("{ nominatedNodeName: A }", "{ nominatedNodeName: A }")),
      "accepted",
    );
    assert.match(
      refusal(
        report(
          "{}",
          '{ conditions: [{ type: Ready, status: "True" }, { type: a b, status: "True" }] }',
        ),
      ),
      /^status.conditions\[1\].Type: Invalid value: "a b": name part/,
    );
  });

  test("must not have a negative observed generation", () => {
    const bad =
      '{ observedGeneration: -1, conditions: [{ type: Ready, status: "True", observedGeneration: -2 }] }';
    assert.equal(
      refusal(reportAgain(pod("restartPolicy: Never", "{}"), bad)),
      [
        "status.conditions[0].observedGeneration: Invalid value: -2: must be a non-negative integer",
        "status.observedGeneration: Invalid value: -1: must be a non-negative integer",
      ].join("\n"),
    );
  });

  const of = (before: string, status: string): string =>
    refusal(reportAgain(pod("restartPolicy: Never", before), status));

  test("must have at most one address of each family", () => {
    const asked = "{ podIPs: [{ ip: 10.0.0.1 }, { ip: 10.0.0.2 }] }";
    assert.equal(
      of("{}", asked),
      'status.podIPs: Invalid value: [{"IP":"10.0.0.1"},{"IP":"10.0.0.2"}]: may specify no more than one IP for each IP family',
    );
    assert.equal(of("{}", '{ podIPs: [{ ip: 10.0.0.1 }, { ip: "fd00::1" }] }'), "accepted");
    assert.equal(
      of("{}", '{ podIPs: [{ ip: "fd00::1" }, { ip: b }] }'),
      [
        'status.podIPs[1]: Invalid value: "b": must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)',
        "status.podIPs: Internal error: failed to check for dual stack with error:invalid IP[1]: b",
        'status.podIPs: Invalid value: [{"IP":"fd00::1"},{"IP":"b"}]: may specify no more than one IP for each IP family',
      ].join("\n"),
    );
    assert.match(
      of("{}", '{ podIPs: [{ ip: b }, { ip: "fd00::1" }] }'),
      /failed to check for dual stack with error:invalid IP\[0\]: b\n/,
    );
    assert.match(
      of("{}", '{ podIPs: [{ ip: 10.0.0.1 }, { ip: "fd00::1" }, { ip: 10.0.0.2 }] }'),
      /: may specify no more than one IP for each IP family$/,
    );
    assert.equal(of("{ podIPs: [{ ip: b }] }", "{ podIPs: [{ ip: b }] }"), "accepted");
    assert.equal(
      of("{}", "{ hostIP: 10.0.0.3, hostIPs: [{ ip: 10.0.0.1 }, { ip: 10.0.0.2 }] }"),
      [
        'status.hostIPs[0].ip: Invalid value: "10.0.0.1": must be equal to `hostIP`',
        'status.hostIPs: Invalid value: [{"IP":"10.0.0.1"},{"IP":"10.0.0.2"}]: may specify no more than one IP for each IP family',
      ].join("\n"),
    );
  });

  test("has the first address as podIP, too", () => {
    const addresses = (status: string): unknown => {
      const answer = reportAgain(pod("restartPolicy: Never", "{}"), status);
      return [field(answer, "status.podIP"), field(answer, "status.podIPs")];
    };
    const [one, two] = [{ ip: "10.0.0.1" }, { ip: "10.0.0.2" }];
    assert.deepEqual(addresses("{ podIP: 10.0.0.1 }"), [one.ip, [one]]);
    assert.deepEqual(addresses("{ podIPs: [{ ip: 10.0.0.2 }] }"), [two.ip, [two]]);
    assert.deepEqual(addresses("{ podIP: 10.0.0.1, podIPs: [{ ip: 10.0.0.2 }] }"), [one.ip, [one]]);
    const six = { ip: "fd00::1" };
    assert.deepEqual(
      addresses('{ podIP: 10.0.0.1, podIPs: [{ ip: 10.0.0.1 }, { ip: "fd00::1" }] }'),
      [one.ip, [one, six]],
    );
  });

  test("must have valid users, and claims that the pod names", () => {
    const user = (spec: string, linux: string): string => {
      const status = `name: c, image: i, imageID: "", ready: false, restartCount: 0, user: { linux: ${linux} }`;
      return refusal(reportAgain(pod(spec, "{}"), `{ containerStatuses: [{ ${status} }] }`));
    };
    const at = "status.containerStatuses[0].user.linux";
    const range = "must be between 0 and 2147483647, inclusive";
    assert.equal(
      user("restartPolicy: Never", "{ uid: -1, gid: 2147483648, supplementalGroups: [0, -2] }"),
      [
        `${at}.uid: Invalid value: -1: ${range}`,
        `${at}.gid: Invalid value: 2147483648: ${range}`,
        `${at}.supplementalGroups[1]: Invalid value: -2: ${range}`,
      ].join("\n"),
    );
    assert.equal(
      user("os: { name: windows }", "{ uid: -1, gid: 0 }"),
      `${at}: Forbidden: cannot be set for a windows pod`,
    );
    const claims = "{ resourceClaimStatuses: [{ name: a }, { name: b }, { name: a }] }";
    const spec = "resourceClaims: [{ name: a, resourceClaimName: x }]";
    assert.equal(
      refusal(reportAgain(pod(spec, "{}"), claims)),
      [
        'status.resourceClaimStatuses[1].name: Invalid value: "b": must match the name of an entry in `spec.resourceClaims`',
        'status.resourceClaimStatuses[2].name: Duplicate value: "a"',
      ].join("\n"),
    );
    assert.match(
      refusal(
        reportAgain(
          pod(spec, "{}"),
          "{ resourceClaimStatuses: [{ name: a, resourceClaimName: B }] }",
        ),
      ),
      /^status\.resourceClaimStatuses\[0\]\.resourceClaimName: Invalid value: "B": a lowercase RFC 1123 subdomain/,
    );
  });

  test("comes with annotations that are validated as in any update", () => {
    const cost = "controller.kubernetes.io/pod-deletion-cost";
    const mirror = "metadata.annotations[kubernetes.io/config.mirror]";
    const noted = (annotations: string): string =>
      refusal(report(pod("restartPolicy: Never", "{}"), "{}", `{ annotations: ${annotations} }`));
    assert.equal(
      noted(`{ ${cost}: "+1" }`),
      `metadata.annotations[${cost}]: Invalid value: "+1": must be a 32bit integer`,
    );
    assert.equal(
      noted("{ kubernetes.io/config.mirror: a }"),
      [
        `${mirror}: Forbidden: may not add mirror pod annotation`,
        `${mirror}: Invalid value: "a": must set spec.nodeName if mirror pod annotation is set`,
      ].join("\n"),
    );
    const before = pod("restartPolicy: Never", "{}").replace(
      "default }",
      `default, annotations: { ${cost}: "+1" } }`,
    );
    assert.equal(refusal(reportAgain(before, "{ phase: Running }")), "accepted");
  });

  test("must not nominate a node if the pod is already bound", () => {
    const bound = (before: string, status: string): string =>
      refusal(reportAgain(pod("nodeName: a", before), status));
    const forbidden =
      "status.nominatedNodeName: Forbidden: may not be set on pods that are already bound to a node";
    assert.equal(bound("{}", "{ nominatedNodeName: b }"), forbidden);
    assert.equal(bound("{ nominatedNodeName: b }", "{ nominatedNodeName: b }"), "accepted");
    assert.equal(bound("{ nominatedNodeName: b }", "{}"), "accepted");
  });
});

suite("The status of a service", () => {
  const service = (type: string, status = "{}"): string =>
    `{ apiVersion: v1, kind: Service, metadata: { name: web, namespace: default }, spec: { type: ${type}, clusterIP: 10.0.0.1, clusterIPs: [10.0.0.1], ports: [{ port: 80 }] }, status: ${status} }`;
  const reached = (ways: string): string => `{ loadBalancer: { ingress: [${ways}] } }`;
  const path = "status.loadBalancer.ingress";

  test("has ingress points for a load balancer only", () => {
    assert.equal(
      refusal(reportAgain(service("ClusterIP"), reached("{ ip: 1.2.3.4 }"))),
      `${path}: Forbidden: may only be used when \`spec.type\` is "LoadBalancer"`,
    );
    const answer = reportAgain(service("LoadBalancer"), reached("{ ip: 1.2.3.4 }"));
    assert.deepEqual(field(answer, "status.loadBalancer.ingress"), [
      { ip: "1.2.3.4", ipMode: "VIP" },
    ]);
  });

  test("must have valid addresses and host names", () => {
    const ways =
      "{ ip: a }, { ip: 1.2.3.4, ipMode: NAT }, { hostname: a.b, ipMode: VIP }, { hostname: 1.2.3.4 }";
    assert.equal(
      refusal(reportAgain(service("LoadBalancer"), reached(ways))),
      [
        `${path}[0].ip: Invalid value: "a": must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)`,
        `${path}[1].ipMode: Unsupported value: "NAT": supported values: "Proxy", "VIP"`,
        `${path}[2].ipMode: Forbidden: may not be specified when \`ip\` is not set`,
        `${path}[3].hostname: Invalid value: "1.2.3.4": must be a DNS name, not an IP address`,
      ].join("\n"),
    );
    assert.match(
      refusal(reportAgain(service("LoadBalancer"), reached("{ hostname: A.b }"))),
      /ingress\[0\]\.hostname: Invalid value: "A\.b": a lowercase RFC 1123 subdomain/,
    );
    assert.equal(refusal(reportAgain(service("ClusterIP"), "{}")), "accepted");
    const before = service("LoadBalancer", reached("{ ip: a, ipMode: VIP }"));
    assert.equal(refusal(reportAgain(before, reached("{ ip: a, ipMode: Proxy }"))), "accepted");
  });
});

suite("The status of a PodDisruptionBudget", () => {
  test("must have conditions of different types, each complete", () => {
    const budget =
      "{ apiVersion: policy/v1, kind: PodDisruptionBudget, metadata: { name: a, namespace: default } }";
    const good =
      '{ type: A, status: "True", reason: B, message: "", lastTransitionTime: 2026-01-01T00:00:00Z }';
    const told = (...conditions: readonly string[]): string =>
      refusal(report(budget, `{ conditions: [${conditions.join(", ")}], observedGeneration: 1 }`));
    assert.equal(told(good), "accepted");
    assert.equal(told(good, good), 'status.conditions[1].type: Duplicate value: "A"');
    const at = "status.conditions[0]";
    const lines = told("{ type: a b, status: x, observedGeneration: -1 }").split("\n");
    assert.match(lines[0] ?? "", /^status\.conditions\[0\]\.type: Invalid value: "a b": name part/);
    assert.deepEqual(lines.slice(1), [
      `${at}.status: Unsupported value: "x": supported values: "False", "True", "Unknown"`,
      `${at}.observedGeneration: Invalid value: -1: must be greater than or equal to zero`,
      `${at}.lastTransitionTime: Required value: must be set`,
      `${at}.reason: Required value: must be set`,
    ]);
    assert.match(
      told(good.replace("reason: B", `reason: ";${"b".repeat(1024)}"`)),
      /reason: Invalid value: .*: a condition reason must start with alphabetic .*\n.*reason: Too long: may not be more than 1024 bytes$/,
    );
    assert.equal(told(good.replace("reason: B", `reason: ${"b".repeat(1024)}`)), "accepted");
    const long = (length: number): string =>
      told(good.replace('message: ""', `message: ${"m".repeat(length)}`));
    assert.equal(long(32_768), "accepted");
    assert.equal(long(32_769), `${at}.message: Too long: may not be more than 32768 bytes`);
  });
});

suite("The status of a snapshot", () => {
  const snapshot = (rest = "", metadata = ""): string =>
    `{ apiVersion: snapshot.storage.k8s.io/v1, kind: VolumeSnapshot, metadata: { name: s, ${metadata} }, spec: { source: { persistentVolumeClaimName: a } } ${rest} }`;
  const content =
    "{ apiVersion: snapshot.storage.k8s.io/v1, kind: VolumeSnapshotContent, metadata: { name: c }, spec: { deletionPolicy: Delete, driver: d, source: { volumeHandle: h }, volumeSnapshotRef: { name: s, namespace: n } } }";
  const first = (text: string): string | undefined => text.split("\n")[0];

  test("must match the schema", () => {
    const good =
      '{ readyToUse: true, restoreSize: 1Gi, creationTime: "2026-02-28T00:00:00.5+01:00", error: null }';
    assert.equal(refusal(report(snapshot(), good)), "accepted");
    assert.equal(refusal(report(snapshot(), "{ restoreSize: 1 }")), "accepted");
    assert.equal(
      refusal(report(snapshot(), "{ readyToUse: 'yes' }")),
      [
        'status.readyToUse: Invalid value: "string": readyToUse in body must be of type boolean: "string"',
        "<nil>: Invalid value: null: some validation rules were not checked because the object was invalid; correct the existing errors to complete validation",
      ].join("\n"),
    );
    assert.equal(
      first(refusal(report(snapshot(), "{ restoreSize: 1.5 }"))),
      'status.restoreSize: Invalid value: "number": restoreSize in body must be of type integer,string: "number"',
    );
    assert.equal(refusal(report(content, "{ restoreSize: 1e18 }")), "accepted");
    assert.equal(
      first(refusal(report(content, "{ restoreSize: 1e19 }"))),
      'status.restoreSize: Invalid value: "float64": restoreSize in body must be of type int64: "float64"',
    );
    assert.equal(
      first(refusal(report(snapshot(), "{ creationTime: 5 }"))),
      'status.creationTime: Invalid value: "int64": creationTime in body must be of type date-time: "int64"',
    );
    assert.equal(refusal(report(snapshot(), "{ creationTime: [] }")), "accepted");
    for (const time of ["yesterday", "2026-02-30T00:00:00Z", "2026-02-28T24:00:00Z"])
      assert.equal(
        first(refusal(report(snapshot(), `{ error: { time: "${time}" } }`))),
        `status.error.time: Invalid value: "${time}": error.time in body must be of type date-time: "${time}"`,
      );
    assert.match(
      refusal(report(snapshot(), "{ restoreSize: 5Q }")),
      /^status\.restoreSize: Invalid value: "5Q": restoreSize in body should match '/,
    );
    assert.equal(
      refusal(report(content, "{ creationTime: 5, restoreSize: -1 }")),
      "status.restoreSize: Invalid value: -1: restoreSize in body should be greater than or equal to 0",
    );
  });

  test("is ignored in an update of the rest, even if there is none yet", () => {
    const given = snapshot(", status: { readyToUse: true }", 'resourceVersion: "1"');
    assert.equal(field(replace(snapshot(), given), "status"), undefined);
  });
});
