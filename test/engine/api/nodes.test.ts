import assert from "node:assert/strict";
import { create, field, refusal, replace, report } from "./answer.ts";

const node = (spec: string, status = "{}"): string =>
  `{ apiVersion: v1, kind: Node, metadata: { name: n }, spec: { ${spec} }, status: ${status} }`;

suite("A node", () => {
  test("must have whole, non-negative amounts and at most one CIDR of each IP family", () => {
    assert.equal(
      refusal(
        create(
          node("podCIDRs: [10.0.0.0/24, 10.0.1.0/33]", "{ capacity: { cpu: -1, pods: 1500m } }"),
        ),
      ),
      [
        'status.capacity.cpu: Invalid value: "-1": must be greater than or equal to 0',
        'status.capacity.pods: Invalid value: "1500m": must be an integer',
        'status.allocatable.cpu: Invalid value: "-1": must be greater than or equal to 0',
        'status.allocatable.pods: Invalid value: "1500m": must be an integer',
        'spec.podCIDRs[1]: Invalid value: "10.0.1.0/33": must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)',
        "spec.podCIDRs: Internal error: invalid PodCIDRs. failed to check with dual stack with error:invalid CIDR[1]: <nil> (invalid CIDR address: 10.0.1.0/33)",
        'spec.podCIDRs: Invalid value: ["10.0.0.0/24","10.0.1.0/33"]: may specify no more than one CIDR for each IP family',
      ].join("\n"),
    );
  });

  test("with an invalid CIDR gets an error about the IP families, too", () => {
    assert.equal(
      refusal(create(node('podCIDRs: [10.0.0.0/33, "2001:db8::/64"]')))
        .split("\n")
        .at(-1),
      'spec.podCIDRs: Invalid value: ["10.0.0.0/33","2001:db8::/64"]: may specify no more than one CIDR for each IP family',
    );
  });

  test("must not have the same CIDR twice", () => {
    assert.equal(
      refusal(create(node("podCIDRs: [10.0.0.0/24, 10.0.0.0/24]"))),
      'spec.podCIDRs: Invalid value: ["10.0.0.0/24","10.0.0.0/24"]: may specify no more than one CIDR for each IP family',
    );
  });

  test("must have a positive swap capacity if it has one", () => {
    assert.equal(refusal(create(node("", "{ nodeInfo: { swap: { capacity: 1 } } }"))), "accepted");
    assert.equal(
      refusal(create(node("", "{ nodeInfo: { swap: { capacity: 0 } } }"))),
      "metadata.nodeSwapStatus.capacity: Invalid value: 0: must be greater than zero",
    );
  });

  test("loses the configuration in its status", () => {
    const made = create(node("", "{ config: { error: a }, phase: Running }"));
    assert.deepEqual(field(made, "status.config"), undefined);
    assert.deepEqual(field(made, "status.phase"), "Running");
  });

  test("must have valid declared features in order", () => {
    const declaring = (...features: string[]): string =>
      refusal(create(node("", `{ declaredFeatures: [${features.join(", ")}] }`)));
    assert.equal(declaring("A", "B/c", "B/c/D1"), "accepted");
    assert.equal(
      declaring("B", "A", "A", "a"),
      [
        'status.declaredFeatures[1]: Invalid value: "A": list must be sorted alphabetically',
        'status.declaredFeatures[2]: Duplicate value: "A"',
        'status.declaredFeatures[3]: Invalid value: "a": invalid feature name "a": must start with an UpperCamelCase segment, with subsequent segments separated by \'/\' (e.g., MyFeature or MyFeature/mySubFeature), and contain only alphanumeric characters and slashes',
      ].join("\n"),
    );
    const long = "A".repeat(254);
    assert.equal(declaring(long.slice(1)), "accepted");
    const complaint = `Invalid value: "${long}": invalid feature name "${long}": must be no more than 253 characters`;
    assert.equal(declaring(long), `status.declaredFeatures[0]: ${complaint}`);
    const reported = report(node(""), `{ declaredFeatures: [${long}] }`);
    assert.equal(refusal(reported), `status.declaredFeatures[0]: ${complaint}`);
  });

  test("must have each taint's key and effect once", () => {
    const again = "{ key: a, effect: NoExecute, timeAdded: 2026-02-03T04:05:06+01:00 }";
    assert.equal(
      refusal(create(node(`taints: [{ key: a, value: b, effect: NoExecute }, ${again}]`))),
      'metadata.taints[1]: Duplicate value: {"Key":"a","Value":"","Effect":"NoExecute","TimeAdded":"2026-02-03T03:05:06Z"}: taints must be unique by key and effect pair',
    );
  });

  test("has podCIDR as the first of podCIDRs, and it takes precedence", () => {
    const ranges = (spec: string): unknown => [
      field(create(node(spec)), "spec.podCIDR"),
      field(create(node(spec)), "spec.podCIDRs"),
    ];
    assert.deepEqual(ranges("podCIDR: 10.0.0.0/24"), ["10.0.0.0/24", ["10.0.0.0/24"]]);
    assert.deepEqual(ranges("podCIDRs: [10.0.0.0/24, fd00::/64]"), [
      "10.0.0.0/24",
      ["10.0.0.0/24", "fd00::/64"],
    ]);
    assert.deepEqual(ranges("podCIDR: 10.0.1.0/24, podCIDRs: [10.0.0.0/24, fd00::/64]"), [
      "10.0.1.0/24",
      ["10.0.1.0/24"],
    ]);
    assert.equal(
      refusal(replace(node("podCIDRs: [10.0.0.0/24]"), node("podCIDR: 10.0.1.0/24"))),
      'spec.podCIDRs: Forbidden: node updates may not change podCIDR except from "" to valid',
    );
  });

  test("keeps its CIDRs, its provider id and its external id", () => {
    assert.equal(
      refusal(
        replace(
          node("podCIDRs: [10.0.0.0/24], providerID: a"),
          node("podCIDRs: [10.0.1.0/24], providerID: b, externalID: c"),
        ),
      ),
      [
        'spec.podCIDRs: Forbidden: node updates may not change podCIDR except from "" to valid',
        'spec.providerID: Forbidden: node updates may not change providerID except from "" to valid',
        "spec.externalID: Forbidden: may not be updated",
      ].join("\n"),
    );
  });

  suite("has its alpha annotations validated:", () => {
    const prefix = "scheduler.alpha.kubernetes.io";
    const annotated = (name: string, value: string): string =>
      `{ apiVersion: v1, kind: Node, metadata: { name: n, annotations: { ${prefix}/${name}: ${JSON.stringify(value)} } } }`;
    const said = (name: string, value: string): string =>
      refusal(create(annotated(name, value))).replaceAll(`metadata.annotations.${prefix}/`, "");
    const wrong = (place: string, name: string, error: string): string =>
      `metadata.annotations${place}: Invalid value: "${prefix}/${name}": ${error}`;

    test("taints", () => {
      const good = '[{"key": "a", "effect": "NoSchedule", "timeAdded": 1, "other": 1}]';
      for (const text of [good, good.toUpperCase().replace("NOSCHEDULE", "NoSchedule"), "null"])
        assert.equal(said("taints", text), "accepted");
      assert.equal(said("taints", ""), "accepted");
      assert.equal(
        said("taints", '[{"key": "a", "effect": "No"}, null]'),
        [
          'taints[0].effect: Unsupported value: "No": supported values: "NoSchedule", "PreferNoSchedule", "NoExecute"',
          'taints[1].key: Invalid value: "": name part must be non-empty',
          "taints[1].key: Invalid value: \"\": name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')",
          "taints[1].effect: Required value",
        ].join("\n"),
      );
    });

    test("the JSON of taints", () => {
      const cases = {
        "[{": "unexpected end of JSON input",
        "[{]": "invalid character ']' looking for beginning of object key string",
        '"a"': "json: cannot unmarshal string into Go value of type []core.Taint",
        "[1, []]": "json: cannot unmarshal number into Go value of type core.Taint",
        '[{"key": 1}]':
          "json: cannot unmarshal number into Go struct field Taint.Key of type string",
        '[{"KEY": {}}]':
          "json: cannot unmarshal object into Go struct field Taint.Key of type string",
        '[{"effect": []}]':
          "json: cannot unmarshal array into Go struct field Taint.Effect of type core.TaintEffect",
      };
      for (const [text, error] of Object.entries(cases))
        assert.equal(said("taints", text), wrong("", "taints", error));
    });

    test("pods to avoid", () => {
      const pods = (entry: string): string =>
        said("preferAvoidPods", `{"preferAvoidPods": [${entry}]}`);
      const controlled = (value: unknown): string =>
        `{"podSignature": {"podController": {"name": "a", "controller": ${value}}}}`;
      assert.equal(pods(controlled(true)), "accepted");
      assert.equal(
        pods(`${controlled(false)}, {"reason": "a"}`),
        [
          "preferAvoidPods[0].PodSignature.PodController.Controller: Invalid value: false: must point to a controller",
          "preferAvoidPods[1].PodSignature: Required value",
        ].join("\n"),
      );
      const error =
        "json: cannot unmarshal bool into Go struct field AvoidPods.preferAvoidPods of type []v1.PreferAvoidPodsEntry";
      assert.equal(
        said("preferAvoidPods", '{"preferAvoidPods": true}'),
        wrong(".AvoidPods", "preferAvoidPods", error),
      );
      const flag =
        "json: cannot unmarshal string into Go struct field OwnerReference.preferAvoidPods.podSignature.podController.controller of type bool";
      assert.equal(pods(controlled('"a"')), wrong(".AvoidPods", "preferAvoidPods", flag));
    });

    test("on update, twice", () => {
      const after = annotated("taints", "{}");
      const error = "json: cannot unmarshal object into Go value of type []core.Taint";
      const line = wrong("", "taints", error);
      assert.equal(refusal(replace(node(""), after)), `${line}\n${line}`);
      const annotations = `{ annotations: { ${prefix}/taints: '{}' } }`;
      assert.equal(refusal(report(node(""), "{}", annotations)), line);
    });
  });
});

suite("A PodDisruptionBudget", () => {
  const budget = (spec: string, name = "b"): string =>
    `{ apiVersion: policy/v1, kind: PodDisruptionBudget, metadata: { name: ${name} }, spec: { ${spec} } }`;

  test("must have only one of its two amounts, and any name that fits into a path", () => {
    assert.equal(refusal(create(budget("minAvailable: 1", "My_Budget"))), "accepted");
    assert.equal(
      refusal(create(budget("minAvailable: 1, maxUnavailable: 50%"))),
      'spec: Invalid value: {"MinAvailable":1,"Selector":null,"MaxUnavailable":"50%","UnhealthyPodEvictionPolicy":null}: minAvailable and maxUnavailable cannot be both set',
    );
    assert.equal(
      refusal(create(budget("minAvailable: 1, unhealthyPodEvictionPolicy: Never"))),
      'spec.unhealthyPodEvictionPolicy: Unsupported value: "Never": supported values: "AlwaysAllow", "IfHealthyBudget"',
    );
  });

  test("may have 0 as maxUnavailable or minAvailable", () => {
    for (const spec of [{ maxUnavailable: 0 }, { minAvailable: 0 }]) {
      const answer = create(budget(JSON.stringify(spec).slice(1, -1)));
      assert.ok(answer.ok);
      assert.deepEqual((answer.object as { spec?: unknown }).spec, spec);
    }
    assert.match(
      refusal(create(budget("minAvailable: 0, maxUnavailable: 0"))),
      /cannot be both set$/,
    );
  });
});
