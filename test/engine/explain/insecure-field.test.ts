import assert from "node:assert/strict";
import type { KubeObject } from "../../../src/engine/api/meta.ts";
import { insecureField } from "../../../src/engine/explain/insecure-field.ts";

const spec = {
  initContainers: [{ name: "prepare", image: "a" }],
  containers: [
    { name: "app", image: "a" },
    { name: "side", image: "a" },
  ],
  volumes: [{ name: "tmp" }, { name: "host", hostPath: { path: "/" } }],
};

function fieldIn(kind: string, violations: string): string | undefined {
  const template = { template: { spec } };
  const ofKind =
    kind === "Pod" ? spec : kind === "CronJob" ? { jobTemplate: { spec: template } } : template;
  const object = { kind, metadata: { name: "x" }, spec: ofKind } as unknown as KubeObject;
  return insecureField(object, `would violate PodSecurity "baseline:latest": ${violations}`);
}

suite("which field breaks the level of a namespace", () => {
  test("a volume, a container or a field of the pod is found by its name", () => {
    const host = 'hostPath volumes (volume "host"), privileged (container "app" must not …)';
    assert.equal(fieldIn("Pod", host), "spec.volumes[1]");
    assert.equal(
      fieldIn("Pod", 'privileged (container "side" must not set securityContext.privileged=true)'),
      "spec.containers[1]",
    );
    assert.equal(
      fieldIn("Pod", 'runAsNonRoot != true (pod or containers "prepare", "app" must set …)'),
      "spec.initContainers[0]",
    );
    assert.equal(fieldIn("Pod", "host namespaces (hostPID=true, hostIPC=true)"), "spec.hostPID");
  });

  test("in what makes pods it is a field of the template", () => {
    const host = 'hostPath volumes (volumes "host", "other")';
    assert.equal(fieldIn("StatefulSet", host), "spec.template.spec.volumes[1]");
    assert.equal(fieldIn("CronJob", host), "spec.jobTemplate.spec.template.spec.volumes[1]");
  });

  test("what is about the whole pod, or no violation, is at no field", () => {
    assert.equal(fieldIn("Pod", "forbidden sysctls (net.core.somaxconn)"), undefined);
    assert.equal(fieldIn("Pod", 'hostPath volumes (volume "gone")'), undefined);
    const pod = { kind: "Pod", metadata: { name: "x" }, spec } as unknown as KubeObject;
    assert.equal(insecureField(pod, 'exceeded quota: volume "host"'), undefined);
  });
});
