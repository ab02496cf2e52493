/**
 * Any input gets an answer: a stored object or a readable refusal. Every field of every model is given each wrong value
 * once; seeded random combinations follow.
 */
import assert from "node:assert/strict";
import fc from "fast-check";
import { deepFreeze } from "../../../src/engine/api/json.ts";
import type { KubeObject } from "../../../src/engine/api/meta.ts";
import type { RequestContext } from "../../../src/engine/api/request-context.ts";
import {
  answerCreate,
  answerUpdate,
  type RequestAnswer,
  reviewCreate,
} from "../../../src/engine/api/requests.ts";
import { kindSchemas } from "../../../src/engine/api/schema.ts";
import { clusterOf } from "./answer.ts";
import { goodObjects, type Manifest } from "./good-objects.ts";
import { type Field, fieldsOf, withValue, wrongValues } from "./mutations.ts";

const now = "2026-01-01T00:00:00Z";
const context: RequestContext = {
  version: "1.36",
  cluster: clusterOf(),
  now,
  uid: "00000000-0000-4000-8000-000000000000",
  nameSuffix: "abcde",
};

const fields = fieldsOf(goodObjects);

/** Returns the stored object, undefined if it is refused. The client's object is frozen, so changing it would fail. */
function check(input: unknown): unknown {
  const sent = deepFreeze(structuredClone(input));
  const answer = answerCreate(sent, context);
  assertReview(answer, sent);
  for (const text of answer.warnings) assertWords(text, input);
  if (!answer.ok) {
    assertWords(answer.error.message, input);
    for (const cause of answer.error.causes ?? []) assertWords(cause.field + cause.message, input);
    return undefined;
  }
  const text = JSON.stringify(answer.object);
  const stored = JSON.parse(text) as KubeObject;
  if (!settled.has(text)) assertSettled(stored, input);
  settled.add(text);
  return stored;
}

/** Many inputs are stored as the same object, which is checked only once. */
const settled = new Set<string>();

/** `reviewCreate` must give the same answer. */
function assertReview({ ok, warnings, ...rest }: RequestAnswer, sent: unknown): void {
  const review = reviewCreate(sent, context);
  const error = "error" in rest ? rest.error : undefined;
  assert.deepEqual(review, ok ? { ok, warnings } : { ok, error, warnings });
}

function assertWords(text: string, input: unknown): void {
  if (/undefined|\[object|NaN:/.test(text)) assert.fail(`${text}\n${JSON.stringify(input)}`);
}

/**
 * A stored object that is sent again stays the same, and may be replaced with itself. Objects with matchLabelKeys are not sent
 * again: their keys have been merged into selectors, and the server refuses to merge them twice.
 */
function assertSettled(stored: KubeObject, input: unknown): void {
  const { uid: _, ...metadata } = stored.metadata as { uid?: string };
  const merged = JSON.stringify(stored).includes("atchLabelKeys");
  const again = merged ? undefined : answerCreate({ ...stored, metadata }, context);
  if (again !== undefined) assertStored(again, stored, input);
  const current = {
    ...stored,
    metadata: {
      ...stored.metadata,
      uid: context.uid,
      resourceVersion: "1",
      creationTimestamp: now,
    },
  } as KubeObject;
  const kept = answerUpdate(current, structuredClone(current), context, "");
  assertStored(kept, current, input);
}

function assertStored(answer: RequestAnswer, expected: KubeObject, input: unknown): void {
  if (!answer.ok) assert.fail(`${answer.error.message}\n${JSON.stringify(input)}`);
  const text = JSON.stringify(answer.object);
  if (text !== JSON.stringify(expected))
    assert.deepEqual(JSON.parse(text), expected, JSON.stringify(input));
}

suite("Any input", () => {
  test("there is a valid object of every kind", () => {
    assert.deepEqual(
      new Set(goodObjects.map(({ kind }) => kind)),
      new Set(kindSchemas.map(({ kind }) => kind)),
    );
    for (const object of goodObjects) assert.ok(check(object) !== undefined, object.kind);
  });

  test("every wrong value in every field gets an answer", () => {
    for (const { object, path } of fields)
      for (const value of wrongValues) check(withValue(object, path, value));
  }).timeout(60_000);

  test("several wrong values together get an answer", () => {
    const mutation = fc.tuple(fc.nat(fields.length - 1), fc.nat(wrongValues.length - 1));
    fc.assert(
      fc.property(fc.array(mutation, { minLength: 2, maxLength: 5 }), ([first, ...others]) => {
        const object = fields[first?.[0] ?? 0]?.object as Manifest;
        let input: unknown = object;
        for (const [index, value] of [first ?? [0, 0], ...others]) {
          const field = fields[index] as Field;
          if (field.object === object) input = withValue(input, field.path, wrongValues[value]);
        }
        check(input);
      }),
      { seed: 1, numRuns: 1000 },
    );
  });
});
