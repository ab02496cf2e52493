import assert from "node:assert/strict";
import { supportedValueMeant } from "../../../../src/language-server/diagnostics/facts/meant-value.ts";

suite("what was meant by a value that is refused", () => {
  test("the value that is nearly it", () => {
    const refusal = `spec.tolerations[0].operator: Unsupported value: "exist": supported values: "Equal", "Exists"`;
    assert.equal(supportedValueMeant(refusal), "Exists");
  });

  test("nothing where the server lists it and refuses it all the same, for a feature that is off", () => {
    const refusal = `spec.tolerations[0].operator: Unsupported value: "Gt": supported values: "Equal", "Exists", "Lt", "Gt"`;
    assert.equal(supportedValueMeant(refusal), undefined);
  });
});
