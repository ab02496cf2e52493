import { strict as assert } from "node:assert";
import { type Listing, listedObjects } from "../../../src/webview/model/listed-objects.ts";
import type { OutcomeObject } from "../../../src/webview/model/outcome-objects.ts";

function pod(name: string, isImported = false, isTouched = true): OutcomeObject {
  return {
    ref: `Pod/default/${name}`,
    kind: "Pod",
    name: `default/${name}`,
    isImported,
    isTouched,
  };
}

const all: Listing = { filter: "", showsUntouched: false, selected: undefined };

suite("listed objects", () => {
  test("are those whose names contain the filter", () => {
    const { rows } = listedObjects([pod("web-0"), pod("db-0"), pod("web-1")], {
      ...all,
      filter: " Web",
    });
    assert.deepEqual(rows, [0, 2]);
  });

  test("leave out imported objects that the run has not changed, unless they are requested or selected", () => {
    const objects = [pod("old", true, false), pod("changed", true), pod("new")];
    const rowsOf = (listing: Partial<Listing>): readonly number[] =>
      listedObjects(objects, { ...all, ...listing }).rows;
    assert.deepEqual(rowsOf({}), [1, 2]);
    assert.deepEqual(rowsOf({ showsUntouched: true }), [0, 1, 2]);
    assert.deepEqual(rowsOf({ selected: "Pod/default/old" }), [0, 1, 2]);
    assert.equal(listedObjects(objects, all).untouchedCount, 1);
  });

  test("are all if the run has changed nothing", () => {
    const { rows, untouchedCount } = listedObjects([pod("old", true, false)], all);
    assert.deepEqual([rows, untouchedCount], [[0], 0]);
  });

  test("are limited in number, and those left out are counted", () => {
    const many = Array.from({ length: 1000 }, (_, i) => pod(`web-${i}`));
    const { rows, leftOutCount } = listedObjects(many, all);
    assert.deepEqual([rows.length, leftOutCount], [400, 600]);
  });
});
