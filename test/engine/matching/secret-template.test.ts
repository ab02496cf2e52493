/** Upstream: external-provisioner v6.3 controller_test.go TestGetSecretReference; Go os.Expand. */
import assert from "node:assert/strict";
import { resolveSecretName } from "../../../src/engine/matching/secret-template.ts";

const common = { "pv.name": "pv-1", "pvc.namespace": "team" };
const own = { ...common, "pvc.name": "data", "pvc.annotations['a/b']": "gold" };

function resolve(name: string, namespace = "ns"): string {
  const result = resolveSecretName({ name, namespace }, own, common);
  return result.ok ? `${result.object.namespace}/${result.object.name}` : result.error;
}

suite("secret names", () => {
  test("tokens are filled in, by braces or bare", () => {
    assert.equal(resolve("key-of-${pvc.name}", "${pvc.namespace}"), "team/key-of-data");
    assert.equal(resolve("${pvc.annotations['a/b']}"), "ns/gold");
    assert.equal(resolve("plain"), "ns/plain");
  });

  test("a namespace cannot be chosen by the claim's own name or annotations", () => {
    assert.equal(
      resolve("s", "${pvc.name}"),
      'error resolving value "${pvc.name}": invalid tokens: ["pvc.name"]',
    );
  });

  test("unknown tokens are listed once each, in order", () => {
    assert.equal(
      resolve("${b}-${a}-$a"),
      'error resolving value "${b}-${a}-$a": invalid tokens: ["a" "b"]',
    );
  });

  test("a dollar without a name stays, and makes no valid name", () => {
    assert.equal(resolve("$(NAME)"), '"$(NAME)" is not a valid secret name');
    assert.equal(resolve("s", "$(NS)"), '"$(NS)" is not a valid namespace name');
  });

  test("empty braces, and one that nobody closes, are left out with their dollar", () => {
    assert.equal(resolve("a${}b"), "ns/ab");
    assert.equal(resolve("${pvc.name}-${x"), "ns/data-x");
    assert.equal(
      resolve("s", "a${pvc.namespace"),
      '"a${pvc.namespace" resolved to "apvc.namespace" which is not a valid namespace name',
    );
  });

  test("what comes of a template has to be a name too", () => {
    const tokens = { ...own, "pvc.name": "UPPER" };
    const result = resolveSecretName({ name: "${pvc.name}", namespace: "ns" }, tokens, common);
    assert.ok(!result.ok);
    assert.equal(
      result.error,
      '"${pvc.name}" resolved to "UPPER" which is not a valid secret name',
    );
  });
});
