/** Upstream: external-provisioner v6.3 pkg/controller/topology_test.go, and the table of spreading by claim name. */
import assert from "node:assert/strict";
import type { CSINode, Node } from "../../../../src/engine/api/types.ts";
import {
  type ClaimTopology,
  nodeTerms,
  spreadOffset,
  type TopologyQuestion,
  topologyRequirement,
} from "../../../../src/engine/controllers/external-provisioner/topology-requirement.ts";

const meta = (name: string, labels: Readonly<Record<string, string>> = {}) => ({
  name,
  labels,
  uid: name,
  resourceVersion: "1",
  creationTimestamp: "2026-01-01T00:00:00Z",
});

/** Nodes as `NAME zone=…,rack=…`; the driver's keys are those of the first node. */
function ask(
  nodes: readonly string[],
  question: Partial<TopologyQuestion>,
  known: ClaimTopology = {},
): string {
  const parsed = nodes.map((text): Node => {
    const [name = "", labels = ""] = text.split(" ");
    const pairs = labels === "" ? [] : labels.split(",").map((pair) => pair.split("="));
    return {
      apiVersion: "v1",
      kind: "Node",
      metadata: meta(name, Object.fromEntries(pairs)),
      spec: {},
    };
  });
  const keys = Object.keys(parsed[0]?.metadata.labels ?? {});
  const csiNodes = parsed.map(
    ({ metadata }): CSINode => ({
      apiVersion: "storage.k8s.io/v1",
      kind: "CSINode",
      metadata: meta(metadata.name),
      spec: { drivers: [{ name: "d.csi", nodeID: metadata.name, topologyKeys: keys }] },
    }),
  );
  const answer = topologyRequirement(
    {
      csiNode: (name) => csiNodes.find((n) => n.metadata.name === name),
      csiNodes: () => csiNodes,
      node: (name) => parsed.find((n) => n.metadata.name === name),
      terms: (wanted) => nodeTerms(wanted, parsed),
    },
    known,
    {
      driver: "d.csi",
      claimName: "data",
      allowedTopologies: [],
      selectedNode: undefined,
      isStrict: false,
      isImmediate: true,
      tellsLabels: false,
      ...question,
    },
  );
  if (!answer.ok) return answer.error;
  const texts = (list: readonly { segments: Readonly<Record<string, string>> }[] = []): string =>
    list.map(({ segments }) => Object.values(segments).join("/")).join(" ");
  if (answer.requirement === undefined) return "anywhere";
  const { requisite, preferred } = answer.requirement;
  return `${texts(requisite)} | ${texts(preferred)}`;
}

const terms = (zones: readonly string[]) => [
  { matchLabelExpressions: [{ key: "zone", values: zones }] },
];

suite("topology requirement", () => {
  test("claims are spread over the zones by the hash of their set's name plus their ordinal", () => {
    const rows: readonly (readonly [string, number, number])[] = [
      ["data-web-0", 1, 0],
      ["data-web-1", 0, 1],
      ["data-web-2", 1, 2],
      ["logs-web-0", 1, 0],
      ["myclaim", 1, 2],
      ["mysql-data", 0, 1],
      ["data-my-db-10", 1, 2],
      ["pvc-1", 1, 2],
    ];
    for (const [name, two, three] of rows) {
      assert.deepEqual([spreadOffset(name, 2), spreadOffset(name, 3)], [two, three], name);
    }
  });

  test("every zone that has a node is requested, the selected node's first", () => {
    const nodes = ["n1 zone=b", "n2 zone=a", "n3 zone=b"];
    assert.equal(ask(nodes, { selectedNode: "n1" }), "a b | b a");
  });

  test("terms of several keys are sorted by key and value", () => {
    const nodes = ["n1 zone=a,rack=2", "n2 zone=a,rack=1", "n3 rack=1"];
    assert.equal(ask(nodes, { selectedNode: "n1" }), "1/a 2/a | 2/a 1/a");
  });

  test("allowedTopologies replace the nodes' zones", () => {
    const allowedTopologies = terms(["b", "c"]);
    assert.equal(ask(["n1 zone=a"], { allowedTopologies, claimName: "web-0" }), "b c | c b");
  });

  test("allowedTopologies without a key request nothing", () => {
    const ofNothing = { allowedTopologies: [{}, { matchLabelExpressions: [] }] };
    assert.equal(ask(["n1 zone=a"], ofNothing), "anywhere");
    assert.equal(ask(["n1 zone=a"], { ...ofNothing, selectedNode: "n1" }), "anywhere");
    const allowedTopologies = [{}, ...terms(["b"])];
    assert.equal(ask(["n1 zone=a"], { allowedTopologies }), "b | b");
  });

  test("a selected node outside of allowedTopologies is an error", () => {
    const question = { selectedNode: "n1", allowedTopologies: terms(["b"]) };
    assert.equal(
      ask(["n1 zone=a"], question),
      'error generating accessibility requirements: topology [{zone a}] from selected node "n1" is not in requisite: [[{zone b}]]',
    );
  });

  test("a selected node whose CSINode is gone needs another selection", () => {
    assert.equal(
      ask(["n1 zone=a"], { selectedNode: "n9" }),
      'failed to get selected CSINode n9: csinode.storage.k8s.io "n9" not found',
    );
  });

  test("a node without the driver's labels is an error", () => {
    assert.equal(
      ask(["n1 zone=a", "n2"], { selectedNode: "n2" }),
      "error generating accessibility requirements: topology labels from selected node map[] does not match topology keys from CSINode [zone]",
    );
  });

  test("if no node has labels for the keys found first, there is no topology", () => {
    assert.equal(
      ask(["n1 zone=a"], {}, { keys: ["rack"] }),
      "error generating accessibility requirements: topologyKeys [rack] were not found on any nodes",
    );
  });

  test("the error of a provisioner before 6.0 lists the node's labels", () => {
    // external-provisioner v5.3 pkg/controller/topology.go GenerateAccessibilityRequirements
    assert.equal(
      ask(["n1 zone=a", "n2 rack=1,host=n2"], { selectedNode: "n2", tellsLabels: true }),
      "error generating accessibility requirements: topology labels from selected node map[host:n2 rack:1] does not match topology keys from CSINode [zone]",
    );
  });

  test("errors name what is missing: the driver's keys on the node, a label, nodes with the keys", () => {
    const refused = "error generating accessibility requirements:";
    assert.equal(
      ask(["n1"], { selectedNode: "n1" }),
      `${refused} no topology key found for node n1`,
    );
    assert.equal(
      ask(["n1 zone=a,rack=1", "n2 rack=2"], { selectedNode: "n2" }),
      `${refused} topology labels from selected node map[] does not match topology keys from CSINode [zone rack]`,
    );
  });

  test("a label added to a node since a claim's first attempt is used", () => {
    const known = {};
    const question = { selectedNode: "n2" };
    assert.match(ask(["n1 zone=a", "n2 disk=ssd"], question, known), /map\[\] does not match/);
    assert.equal(ask(["n1 zone=a", "n2 zone=b,disk=ssd"], question, known), "a b | b a");
  });

  test("a claim's later attempts request the same as the first, even if nodes change or another is selected", () => {
    const known = {};
    const before = ["n1 zone=a", "n2 zone=b"];
    assert.equal(ask(before, { selectedNode: "n1" }, known), "a b | a b");
    assert.equal(ask([...before, "n3 zone=c"], { selectedNode: "n2" }, known), "a b | a b");
    assert.equal(ask(["n2 zone=b"], { selectedNode: "n1" }, known), "a b | a b");
  });

  test("while the driver has no keys nothing is remembered", () => {
    const known = {};
    assert.match(ask(["n1"], { selectedNode: "n1" }, known), /no topology key found for node n1/);
    assert.equal(ask(["n1 zone=a"], { selectedNode: "n1" }, known), "a | a");
  });

  test("several values of several keys are combined; the terms are unique and sorted", () => {
    const allowedTopologies = [
      {
        matchLabelExpressions: [
          { key: "zone", values: ["b", "a"] },
          { key: "rack", values: ["2", "1"] },
        ],
      },
      { matchLabelExpressions: [{ key: "zone", values: ["a"] }] },
      { matchLabelExpressions: [{ key: "zone", values: ["a"] }] },
    ];
    const question = { allowedTopologies, selectedNode: "n1" };
    assert.equal(ask(["n1 zone=b,rack=1"], question), "a 1/a 1/b 2/a 2/b | 1/b 2/a 2/b a 1/a");
  });

  test("a strict provisioner also respects allowedTopologies", () => {
    const strict = { selectedNode: "n1", isStrict: true };
    assert.equal(ask(["n1 zone=a"], { ...strict, allowedTopologies: terms(["a", "b"]) }), "a | a");
    assert.equal(
      ask(["n1 zone=a"], { ...strict, allowedTopologies: terms(["b", "c"]) }),
      "error generating accessibility requirements: selected node '\"n1\"' topology '[{zone a}]' is not in allowed topologies: [[{zone b}] [{zone c}]]",
    );
  });

  test("terms of several keys are listed by the second key's values first", () => {
    const matchLabelExpressions = [
      { key: "zone", values: ["b", "c"] },
      { key: "rack", values: ["1", "2"] },
    ];
    const strict = { selectedNode: "n1", isStrict: true };
    assert.equal(
      ask(["n1 zone=a,rack=1"], { ...strict, allowedTopologies: [{ matchLabelExpressions }] }),
      "error generating accessibility requirements: selected node '\"n1\"' topology '[{rack 1} {zone a}]' is not in allowed topologies: [[{rack 1} {zone b}] [{rack 1} {zone c}] [{rack 2} {zone b}] [{rack 2} {zone c}]]",
    );
  });

  test("a strict provisioner finds no node in allowedTopologies without a key", () => {
    assert.equal(
      ask(["n1 zone=a"], { selectedNode: "n1", isStrict: true, allowedTopologies: [{}] }),
      "error generating accessibility requirements: selected node '\"n1\"' topology '[{zone a}]' is not in allowed topologies: []",
    );
  });

  test("a strict provisioner requests the selected segment only", () => {
    assert.equal(ask(["n1 zone=a", "n2 zone=b"], { selectedNode: "n2", isStrict: true }), "b | b");
  });

  test("allowedTopologies with more terms than one call can hold are refused", () => {
    const values = Array.from({ length: 10 }, (_, i) => String(i));
    const keys = ["a", "b", "c", "d", "e", "f", "g", "h", "i"];
    const matchLabelExpressions = keys.map((key) => ({ key, values }));
    for (const question of [{}, { selectedNode: "n1", isStrict: true }])
      assert.equal(
        ask(["n1 zone=a"], { ...question, allowedTopologies: [{ matchLabelExpressions }] }),
        "error generating accessibility requirements: allowedTopologies name 1000000000 places, more than one call can hold",
      );
  });

  test("without nodes there is no topology to request", () => {
    assert.equal(
      ask([], {}),
      "error generating accessibility requirements: no available topology found",
    );
    assert.equal(ask([], { isImmediate: false }), "anywhere");
  });
});
