import assert from "node:assert/strict";
import type { KubeObject } from "../../../../src/engine/api/meta.ts";
import { refusedPodField } from "../../../../src/engine/explain/pods/refused-pod-field.ts";

const spec = {
  initContainers: [{ name: "prepare", image: "a" }],
  containers: [
    { name: "app", image: "a", resources: { limits: { memory: "1024Mi" } } },
    { name: "side", image: "a", resources: { requests: { cpu: "0.1" }, limits: { cpu: "4" } } },
  ],
  volumes: [{ name: "tmp" }, { name: "host", hostPath: { path: "/" } }],
};

function fieldIn(kind: string, message: string): string | undefined {
  const template = { template: { spec } };
  const ofKind =
    kind === "Pod" ? spec : kind === "CronJob" ? { jobTemplate: { spec: template } } : template;
  const object = { kind, metadata: { name: "x" }, spec: ofKind } as unknown as KubeObject;
  return refusedPodField(object, message);
}

function insecureIn(kind: string, violations: string): string | undefined {
  return fieldIn(kind, `would violate PodSecurity "baseline:latest": ${violations}`);
}

suite("the field of a pod that is refused because of other objects", () => {
  test("is a volume, a container or a field of the pod that the message names", () => {
    const host = 'hostPath volumes (volume "host"), privileged (container "app" must not …)';
    assert.equal(insecureIn("Pod", host), "spec.volumes[1]");
    assert.equal(
      insecureIn(
        "Pod",
        'privileged (container "side" must not set securityContext.privileged=true)',
      ),
      "spec.containers[1]",
    );
    assert.equal(
      insecureIn("Pod", 'runAsNonRoot != true (pod or containers "prepare", "app" must set …)'),
      "spec.initContainers[0]",
    );
    assert.equal(insecureIn("Pod", "host namespaces (hostPID=true, hostIPC=true)"), "spec.hostPID");
  });

  test("is in the template for workloads", () => {
    const host = 'hostPath volumes (volumes "host", "other")';
    assert.equal(insecureIn("StatefulSet", host), "spec.template.spec.volumes[1]");
    assert.equal(insecureIn("CronJob", host), "spec.jobTemplate.spec.template.spec.volumes[1]");
  });

  test("is the first container that a quota requires limits of", () => {
    const quota =
      "failed quota: compute: must specify limits.cpu for: side,x; limits.memory for: y";
    assert.equal(fieldIn("Deployment", quota), "spec.template.spec.containers[1]");
  });

  test("is where a missing class is named", () => {
    assert.equal(
      fieldIn("Job", 'pods "x-" is forbidden: no PriorityClass with name high was found'),
      "spec.template.spec.priorityClassName",
    );
    assert.equal(
      fieldIn("Pod", 'pods "x" is forbidden: pod rejected: RuntimeClass "kata" not found'),
      "spec.runtimeClassName",
    );
  });

  test("is the amount that a LimitRange forbids", () => {
    const bound = (text: string): string | undefined =>
      fieldIn("Pod", `pods "x" is forbidden: [${text}, maximum cpu usage per Pod is 1, but …]`);
    assert.equal(
      bound("maximum memory usage per Container is 500Mi, but limit is 1Gi"),
      "spec.containers[0].resources.limits[memory]",
    );
    assert.equal(
      bound("maximum memory usage per Container is 500Mi, but request is 1Gi"),
      "spec.containers[0].resources.limits[memory]",
    );
    assert.equal(
      bound("minimum cpu usage per Container is 1, but request is 100m"),
      "spec.containers[1].resources.requests[cpu]",
    );
    assert.equal(bound("maximum memory usage per Container is 1Gi, but limit is 2Gi"), undefined);
  });

  test("is undefined for messages about the whole pod, and without a violation", () => {
    assert.equal(insecureIn("Pod", "forbidden sysctls (net.core.somaxconn)"), undefined);
    assert.equal(insecureIn("Pod", 'hostPath volumes (volume "gone")'), undefined);
    const pod = { kind: "Pod", metadata: { name: "x" }, spec } as unknown as KubeObject;
    assert.equal(refusedPodField(pod, 'exceeded quota: volume "host"'), undefined);
  });
});
