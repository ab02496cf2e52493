import assert from "node:assert/strict";
import type { KubeObject } from "../../../../src/engine/api/meta.ts";
import { securityFixes } from "../../../../src/engine/explain/pods/security-changes.ts";

const spec = {
  initContainers: [{ name: "prepare", image: "a" }],
  containers: [
    { name: "app", image: "a" },
    { name: "side", image: "a", securityContext: { capabilities: { add: ["SYS_ADMIN"] } } },
  ],
};

function fixesFor(violations: string): readonly string[] {
  const object = { kind: "Pod", metadata: { name: "x" }, spec } as unknown as KubeObject;
  const message = `pods "x" is forbidden: violates PodSecurity "restricted:latest": ${violations}`;
  return securityFixes(object, message).map(({ text }) => text);
}

suite("changes of a pod's security context", () => {
  test("are for the named containers, and once for the pod if that suffices for all", () => {
    const all = '"prepare", "app", "side"';
    assert.deepEqual(
      fixesFor(
        `allowPrivilegeEscalation != false (containers ${all} must set securityContext.allowPrivilegeEscalation=false), unrestricted capabilities (container "app" must set securityContext.capabilities.drop=["ALL"]; container "side" must not include "SYS_ADMIN" in securityContext.capabilities.add), runAsNonRoot != true (pod or containers ${all} must set securityContext.runAsNonRoot=true)`,
      ),
      [
        'take "SYS_ADMIN" out of capabilities.add of container "side"',
        'give the securityContext of container "prepare": allowPrivilegeEscalation false',
        'give the securityContext of container "app": allowPrivilegeEscalation false, capabilities drop: [ALL]',
        "give the securityContext of the pod: runAsNonRoot true",
      ],
    );
  });

  test("are searched in linear time, however long a word of the message is", () =>
    assert.equal(fixesFor(`hostPath volumes (volume "${"a".repeat(300_000)}")`).length, 1));

  test("replace values to the contrary, in the pod and in containers", () => {
    assert.deepEqual(
      fixesFor(
        'runAsNonRoot != true (pod and container "app" must not set securityContext.runAsNonRoot=false), seccompProfile (pod must not set securityContext.seccompProfile.type to "Unconfined")',
      ),
      [
        'give the securityContext of container "app": runAsNonRoot true',
        "give the securityContext of the pod: runAsNonRoot true, seccompProfile type: RuntimeDefault",
      ],
    );
  });

  test("are for the pod, too, if the level has not complained yet about missing fields", () => {
    assert.deepEqual(
      fixesFor(
        'seccompProfile (container "app" must not set securityContext.seccompProfile.type to "Unconfined")',
      ),
      [
        'give the securityContext of container "app": seccompProfile type: RuntimeDefault',
        "give the securityContext of the pod: seccompProfile type: RuntimeDefault",
      ],
    );
  });

  test("leave out those that would keep a container from starting as long as it runs as root", () => {
    const root =
      'runAsNonRoot != true (pod or container "app" must set securityContext.runAsNonRoot=true), runAsUser=0 (container "app" must not set runAsUser=0)';
    assert.deepEqual(fixesFor(root), ['take runAsUser=0 away from container "app"']);
    const rights =
      'allowPrivilegeEscalation != false (containers "prepare", "app" must set securityContext.allowPrivilegeEscalation=false), unrestricted capabilities (containers "prepare", "app" must set securityContext.capabilities.drop=["ALL"])';
    assert.deepEqual(
      fixesFor(`${rights}, runAsUser=0 (container "prepare" must not set runAsUser=0)`),
      [
        'take runAsUser=0 away from container "prepare"',
        'give the securityContext of container "app": allowPrivilegeEscalation false, capabilities drop: [ALL]',
      ],
    );
    assert.deepEqual(
      fixesFor(
        `${rights}, runAsUser=0 (pod and containers "prepare", "app" must not set runAsUser=0)`,
      ),
      ['take runAsUser=0 away from pod and containers "prepare", "app"'],
    );
  });

  test("come after the rights that the manifest requests beyond the level", () => {
    const capabilities =
      'container "app" must not include "SYS_TIME" in securityContext.capabilities.add';
    assert.deepEqual(
      fixesFor(
        `non-default capabilities (${capabilities}), host namespaces (hostPID=true), privileged (container "side" must not set securityContext.privileged=true), unrestricted capabilities (${capabilities})`,
      ),
      [
        'take "SYS_TIME" out of capabilities.add of container "app"',
        'take privileged=true away from container "side"',
        "take hostPID=true away from the pod",
      ],
    );
  });

  test("also concern volumes, ports, hosts and sysctls that the level forbids", () => {
    assert.deepEqual(
      fixesFor(
        'hostPath volumes (volumes "a", "b"), hostPort (containers "app", "side" use hostPorts 443, 80), probe or lifecycle host (container "app" uses probe or lifecycle host "10.0.0.1"), forbidden sysctls (kernel.msgmax, kernel.sem)',
      ),
      [
        'keep volumes "a", "b" elsewhere than in a hostPath',
        'take hostPorts 443, 80 away from containers "app", "side"',
        'take host "10.0.0.1" out of the probes and hooks of container "app"',
        "take sysctls kernel.msgmax, kernel.sem away from the pod",
      ],
    );
    assert.deepEqual(
      fixesFor(
        'restricted volume types (volumes "a", "b" use restricted volume types "hostPath", "nfs")',
      ),
      ['keep volumes "a", "b" elsewhere than in "hostPath", "nfs", in a claim or an emptyDir say'],
    );
  });
});
