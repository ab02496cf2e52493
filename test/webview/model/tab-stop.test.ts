import { strict as assert } from "node:assert";
import { makeRef } from "../../../src/engine/api/meta.ts";
import { tabStop } from "../../../src/webview/model/tab-stop.ts";

suite("the row that Tab reaches", () => {
  const web = makeRef("Pod", "default", "web");
  const other = makeRef("Pod", "default", "other");

  test("is the selected one", () => {
    assert.equal(tabStop([web, other], other), other);
  });

  test("is the first if none is selected", () => {
    assert.equal(tabStop([web, other], undefined), web);
  });

  test("is the first if a filter hides the selected one", () => {
    assert.equal(tabStop([web], other), web);
  });

  test("is none if nothing is listed", () => {
    assert.equal(tabStop([], web), undefined);
  });
});
