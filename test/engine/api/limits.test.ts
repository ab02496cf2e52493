import assert from "node:assert/strict";
import { parse } from "yaml";
import type { Step } from "../../../src/engine/scenario.ts";
import { play } from "../../support/play.ts";
import { create, refusal } from "./answer.ts";

const limitRange = (item: string): string => `
apiVersion: v1
kind: LimitRange
metadata: { name: limits }
spec: { limits: [{ type: Container, ${item} }] }`;

const quota = (spec: string): string => `
apiVersion: v1
kind: ResourceQuota
metadata: { name: quota }
spec: { ${spec} }`;

suite("Limit ranges", () => {
  test("a bound that overflows in thousandths counts as zero in ratios", () => {
    const ratio = "maxLimitRequestRatio: { cpu: 4 }";
    assert.equal(
      refusal(create(limitRange(`min: { cpu: 1 }, max: { cpu: 12E }, ${ratio}`))),
      'spec.limits[0].maxLimitRequestRatio[cpu]: Invalid value: "4": ratio 4 is greater than max/min = 0.000000',
    );
    assert.equal(
      refusal(create(limitRange(`min: { cpu: 12E }, max: { cpu: 13E }, ${ratio}`))),
      "accepted",
    );
  });

  test("a claim that no longer keeps to them is not bound either, but may go", () => {
    const claim = `
      kind: PersistentVolumeClaim
      metadata: {name: data}
      spec: {storageClassName: "", resources: {requests: {storage: 1Gi}}}`;
    const limits = parse(limitRange("min: { storage: 2Gi }"));
    limits.spec.limits[0].type = "PersistentVolumeClaim";
    const disk = {
      apiVersion: "v1",
      kind: "PersistentVolume",
      metadata: { name: "disk" },
      spec: {
        capacity: { storage: "1Gi" },
        accessModes: ["ReadWriteOnce"],
        hostPath: { path: "/disk" },
      },
    };
    const settle: Step = { type: "settle" };
    const steps: readonly Step[] = [
      { type: "apply", manifests: [limits] },
      { type: "apply", manifests: [disk] },
      settle,
    ];
    const held = play(claim, { steps });
    assert.equal(held.get("PersistentVolumeClaim", "data")?.spec.volumeName, undefined);
    const remove: Step = {
      type: "delete",
      objects: [{ kind: "PersistentVolumeClaim", name: "data" }],
    };
    const gone = play(claim, { steps: [...steps, remove, settle] });
    assert.deepEqual(gone.names("PersistentVolumeClaim"), []);
  });
});

suite("Quotas", () => {
  test("what is counted is whole", () => {
    assert.equal(
      refusal(
        create(
          quota("hard: { pods: 1500m, count/jobs.batch: 1500m, requests.nvidia.com/gpu: 1500m }"),
        ),
      ),
      [
        'spec.hard[count/jobs.batch]: Invalid value: "1500m": must be an integer',
        'spec.hard[pods]: Invalid value: "1500m": must be an integer',
      ].join("\n"),
    );
  });

  test("scopes of a selector", () => {
    const requirement = (scope: string, operator: string): string =>
      `{ scopeName: ${scope}, operator: ${operator} }`;
    const selector = (...list: string[]): string =>
      `hard: { pods: 1 }, scopeSelector: { matchExpressions: [${list.join(", ")}] }`;
    assert.equal(
      refusal(create(quota(selector(requirement("BestEffort", "DoesNotExist"))))),
      "spec.scopeSelector.matchExpressions.operator: Invalid value: \"DoesNotExist\": must be 'Exists' when scope is any of ResourceQuotaScopeTerminating, ResourceQuotaScopeNotTerminating, ResourceQuotaScopeBestEffort, ResourceQuotaScopeNotBestEffort or ResourceQuotaScopeCrossNamespacePodAffinity",
    );
    assert.equal(
      refusal(
        create(
          quota(
            selector(requirement("BestEffort", "Exists"), requirement("NotBestEffort", "Exists")),
          ),
        ),
      ),
      "spec.scopeSelector.matchExpressions: Invalid value: null: conflicting scopes",
    );
    assert.equal(
      refusal(
        create(
          quota(
            `hard: { secrets: 1 }, scopeSelector: { matchExpressions: [${requirement("BestEffort", "Exists")}] }`,
          ),
        ),
      ),
      'spec.scopeSelector.matchExpressions: Invalid value: {"MatchExpressions":[{"ScopeName":"BestEffort","Operator":"Exists","Values":null}]}: unsupported scope applied to resource',
    );
  });
});
