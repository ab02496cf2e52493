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
  test("tokens are replaced, with or without braces", () => {
    assert.equal(resolve("key-of-${pvc.name}", "${pvc.namespace}"), "team/key-of-data");
    assert.equal(resolve("${pvc.annotations['a/b']}"), "ns/gold");
    assert.equal(resolve("plain"), "ns/plain");
  });

  test("a namespace cannot use the claim's name or annotations", () => {
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

  test("a dollar without a name is kept, and makes the name invalid", () => {
    assert.equal(resolve("$(NAME)"), '"$(NAME)" is not a valid secret name');
    assert.equal(resolve("s", "$(NS)"), '"$(NS)" is not a valid namespace name');
  });

  test("empty and unclosed braces are dropped with their dollar", () => {
    assert.equal(resolve("a${}b"), "ns/ab");
    assert.equal(resolve("${pvc.name}-${x"), "ns/data-x");
    assert.equal(
      resolve("s", "a${pvc.namespace"),
      '"a${pvc.namespace" resolved to "apvc.namespace" which is not a valid namespace name',
    );
  });

  test("the result of a template has to be a valid name", () => {
    const tokens = { ...own, "pvc.name": "UPPER" };
    const result = resolveSecretName({ name: "${pvc.name}", namespace: "ns" }, tokens, common);
    assert.ok(!result.ok);
    assert.equal(
      result.error,
      '"${pvc.name}" resolved to "UPPER" which is not a valid secret name',
    );
  });
});
