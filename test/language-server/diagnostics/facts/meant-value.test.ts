import assert from "node:assert/strict";
import { supportedValueMeant } from "../../../../src/language-server/diagnostics/facts/meant-value.ts";

suite("the value meant by a refused one", () => {
  test("is the supported value that it resembles", () => {
    const refusal = `spec.tolerations[0].operator: Unsupported value: "exist": supported values: "Equal", "Exists"`;
    assert.equal(supportedValueMeant(refusal), "Exists");
  });

  test("is undefined if the server lists the value as supported but refuses it, as its feature is off", () => {
    const refusal = `spec.tolerations[0].operator: Unsupported value: "Gt": supported values: "Equal", "Exists", "Lt", "Gt"`;
    assert.equal(supportedValueMeant(refusal), undefined);
  });
});
