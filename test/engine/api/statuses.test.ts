/** What the API server says of a status that is reported. */
import assert from "node:assert/strict";
import { field, refusal, report, reportAgain } from "./answer.ts";

const workload = (kind: string, status = ""): string => `
apiVersion: apps/v1
kind: ${kind}
metadata: { name: web, namespace: default }
spec:
  selector: { matchLabels: { app: web } }
  template: { metadata: { labels: { app: web } }, spec: { containers: [{ name: c, image: i }] } }
${status}`;

suite("Counts of pods that are reported", () => {
  test("are no more than all", () => {
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

  test("are not negative", () => {
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
    const job =
      "{ apiVersion: batch/v1, kind: Job, metadata: { name: a, namespace: default }, spec: { template: { spec: { restartPolicy: Never, containers: [{ name: c, image: i }] } } } }";
    counts(job, "{ active: -1 }", "active");
  });

  test("of collisions only grow", () => {
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

suite("A status that is reported", () => {
  test("of a namespace goes with its deletion", () => {
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

  test("of a node has whole devices and each address once", () => {
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

  test("of a quota names what quotas know", () => {
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

  test("has no container that runs again after its end", () => {
    assert.equal(again("restartPolicy: Never", 1), refused);
    assert.equal(again("restartPolicy: OnFailure", 0), refused);
    assert.equal(again("restartPolicy: OnFailure", 1), "accepted");
    assert.equal(again("restartPolicy: Always", 0), "accepted");
    const rule =
      "restartPolicyRules: [{ action: Restart, exitCodes: { operator: In, values: [1] } }]";
    const other = `initContainers: [{ name: d, image: i, restartPolicy: Never, ${rule} }]`;
    assert.equal(again(`restartPolicy: Never, ${other}`, 1), "accepted");
  });

  test("keeps its class, names a node and types of conditions", () => {
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
      /^metadata.conditions\[1\].Type: Invalid value: "a b": name part/,
    );
  });
});
