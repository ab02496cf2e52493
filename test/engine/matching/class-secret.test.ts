/** Upstream: external-provisioner v6.3 controller_test.go TestGetSecretReference. */
import assert from "node:assert/strict";
import {
  type SecretUse,
  secretUses,
} from "../../../src/engine/csi/catalogue/sidecar-parameters.ts";
import { secretFor } from "../../../src/engine/matching/class-secret.ts";

const claim = { metadata: { name: "data", namespace: "team", annotations: { tier: "gold" } } };
const prefix = "csi.storage.k8s.io/";

/** Returns `NAMESPACE/NAME`, `none`, or the error in the class. */
function secret(use: SecretUse, parameters: Readonly<Record<string, string>>): string {
  const found = secretFor(use, parameters, "pv-1", claim);
  if (!found.ok) return found.error;
  return found.value === undefined ? "none" : `${found.value.namespace}/${found.value.name}`;
}

const keys = (use: string, name = "s", namespace = "ns") => ({
  [`${prefix}${use}-secret-name`]: name,
  [`${prefix}${use}-secret-namespace`]: namespace,
});

suite("secrets of a class", () => {
  const keyOf: Readonly<Record<SecretUse, string>> = {
    provisioner: "provisioner",
    controllerPublish: "controller-publish",
    nodeStage: "node-stage",
    nodePublish: "node-publish",
    controllerExpand: "controller-expand",
    nodeExpand: "node-expand",
    controllerModify: "controller-modify",
  };
  for (const use of secretUses) {
    test(`${use}: its own keys, else those for every use`, () => {
      const common = { [`${prefix}secret-name`]: "all", [`${prefix}secret-namespace`]: "ns" };
      assert.equal(secret(use, keys(keyOf[use])), "ns/s");
      assert.equal(secret(use, common), "ns/all");
      assert.equal(secret(use, { ...common, ...keys(keyOf[use]) }), "ns/s");
      assert.equal(secret(use, { type: "ssd" }), "none");
    });
  }

  test("four uses have older keys, which exclude the newer", () => {
    const older: readonly [SecretUse, string][] = [
      ["provisioner", "csiProvisioner"],
      ["controllerPublish", "csiControllerPublish"],
      ["nodeStage", "csiNodeStage"],
      ["nodePublish", "csiNodePublish"],
    ];
    for (const [use, key] of older) {
      const old = { [`${key}SecretName`]: "s", [`${key}SecretNamespace`]: "ns" };
      assert.equal(secret(use, old), "ns/s");
      assert.match(
        secret(use, { ...old, ...keys(keyOf[use]) }),
        /^failed to get name and namespace template from params: \w+ secrets specified in parameters with both "csi" and "csi\.storage\.k8s\.io\/" keys$/,
      );
    }
  });

  test("name and namespace go together, and neither is empty", () => {
    const half =
      "failed to get name and namespace template from params: either name and namespace for NodeStage secrets specified, Both must be specified";
    assert.equal(secret("nodeStage", { [`${prefix}node-stage-secret-name`]: "s" }), half);
    assert.equal(secret("nodeStage", { [`${prefix}node-stage-secret-namespace`]: "ns" }), half);
    const empty =
      "failed to get name and namespace template from params: NodeStage secrets specified in parameters but value of either namespace or name is empty";
    assert.equal(secret("nodeStage", keys("node-stage", "")), empty);
    assert.equal(secret("nodeStage", keys("node-stage", "s", "")), empty);
    assert.equal(
      secret("nodeStage", { [`${prefix}secret-name`]: "s" }),
      "failed to get default name and namespace template from params: either name and namespace for Default secrets specified, Both must be specified",
    );
  });

  test("templates may use volume and claim, but in the namespace not the claim's name and annotations", () => {
    const name = "${pv.name}-${pvc.namespace}-${pvc.name}-${pvc.annotations['tier']}";
    assert.equal(
      secret("nodeStage", keys("node-stage", name, "${pvc.namespace}")),
      "team/pv-1-team-data-gold",
    );
    assert.equal(secret("nodeStage", keys("node-stage", "s", "${pv.name}")), "pv-1/s");
    assert.equal(
      secret("nodeStage", keys("node-stage", "s", "${pvc.name}")),
      'error resolving value "${pvc.name}": invalid tokens: ["pvc.name"]',
    );
  });
});
