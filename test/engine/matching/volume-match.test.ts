/** Upstream's matching tables: pkg/controller/volume/persistentvolume/index_test.go v1.36. */
import assert from "node:assert/strict";
import type { PersistentVolume, PersistentVolumeClaim } from "../../../src/engine/api/types.ts";
import {
  type MatchConditions,
  type MatchRequest,
  matchRequest,
} from "../../../src/engine/matching/match-request.ts";
import { nearMisses } from "../../../src/engine/matching/near-misses.ts";
import { VolumeInventory } from "../../../src/engine/matching/volume-inventory.ts";
import { eachFailedRule } from "../../../src/engine/matching/volume-rules.ts";
import { claim, inZone, volume } from "./volumes.ts";

const atOnce: MatchConditions = { delayed: false, attributesClasses: true };

function inventoryOf(
  volumes: readonly PersistentVolume[],
  byNodeAffinity = false,
): VolumeInventory {
  const inventory = new VolumeInventory({ byNodeAffinity });
  for (const item of volumes) inventory.put(item);
  return inventory;
}

function nameOfMatch(
  volumes: readonly PersistentVolume[],
  wanted: PersistentVolumeClaim,
  conditions: MatchConditions = atOnce,
): string {
  return inventoryOf(volumes).find(matchRequest(wanted, conditions))?.metadata.name ?? "none";
}

function nameForNode(
  volumes: readonly PersistentVolume[],
  wanted: PersistentVolumeClaim,
  zone: string,
  excluded: string[] = [],
): string {
  const node = { name: `node-${zone}`, labels: { zone } };
  const request = { ...matchRequest(wanted, { ...atOnce, excluded: new Set(excluded) }), node };
  return inventoryOf(volumes, true).findForNode(request)?.metadata.name ?? "none";
}

const shared = { metadata: { labels: { "should-exist": "true" } } };
const sharedSelector = { selector: { matchLabels: { "should-exist": "true" } } };

const stock: readonly PersistentVolume[] = [
  volume("gce-pd-1", "1G", "RWO,ROX", { phase: "" }),
  volume("gce-pd-5", "5G", "RWO,ROX"),
  volume("gce-pd-10", "10G", "RWO,ROX"),
  volume("gce-pd-20", "20G", "RWO,ROX", { phase: "" }),
  volume("nfs-1", "1G", "RWO,ROX,RWX"),
  volume("nfs-5", "5G", "RWO,ROX,RWX"),
  volume("nfs-10", "10G", "RWO,ROX,RWX"),
  volume("gce-pd-2", "20000G", "RWO", shared),
  volume("gce-pd-silver1", "10000G", "RWO", { ...shared, spec: { storageClassName: "silver" } }),
  volume("gce-pd-silver2", "100G", "RWO", { spec: { storageClassName: "silver" } }),
  volume("gce-pd-gold", "50G", "RWO", { spec: { storageClassName: "gold" } }),
  volume("local-pd-very-large", "200E", "RWO,ROX,RWX", { spec: { storageClassName: "large" } }),
  volume("local-pd-extremely-large", "800E", "RWO,ROX,RWX", {
    spec: { storageClassName: "large" },
  }),
  volume("affinity-a", "5G", "RWO,ROX", {
    spec: { storageClassName: "wait", nodeAffinity: inZone("a") },
  }),
  volume("affinity-a-large", "50G", "RWO,ROX", {
    spec: { storageClassName: "wait", nodeAffinity: inZone("a") },
  }),
  volume("affinity-b", "10G", "RWO,ROX", {
    spec: { storageClassName: "wait", nodeAffinity: inZone("b") },
  }),
  volume("affinity-c-released", "10G", "RWO,ROX", {
    phase: "Released",
    spec: { storageClassName: "wait", nodeAffinity: inZone("c") },
  }),
  volume("affinity-d-reserved", "10G", "RWO,ROX", {
    phase: "Released",
    spec: {
      storageClassName: "wait",
      nodeAffinity: inZone("d"),
      claimRef: { namespace: "default", name: "reserver" },
    },
  }),
  volume("gce-pd-vac-silver1", "100G", "RWO,ROX", {
    spec: { volumeAttributesClassName: "silver" },
  }),
];

suite("matching: one inventory, many claims", () => {
  const cases: readonly (readonly [string, PersistentVolumeClaim, string])[] = [
    ["8G RWO+ROX", claim("8G", "RWO,ROX"), "gce-pd-10"],
    ["5G RWO+ROX+RWX", claim("5G", "RWO,ROX,RWX"), "nfs-5"],
    ["1G RWO+ROX", claim("1G", "RWO,ROX"), "gce-pd-5"],
    ["999G RWO+ROX", claim("999G", "RWO,ROX"), "none"],
    ["999G with a selector that nothing matches", claim("999G", "RWO,ROX", sharedSelector), "none"],
    ["20000G RWO+ROX with the selector", claim("20000G", "RWO,ROX", sharedSelector), "none"],
    ["20000G RWO with the selector", claim("20000G", "RWO", sharedSelector), "gce-pd-2"],
    [
      '8G with the attributes class ""',
      claim("8G", "RWO,ROX", { volumeAttributesClassName: "" }),
      "gce-pd-10",
    ],
    [
      "1G with attributes class silver",
      claim("1G", "RWO,ROX", { volumeAttributesClassName: "silver" }),
      "gce-pd-vac-silver1",
    ],
    [
      "1G with an attributes class of no volume",
      claim("1G", "RWO,ROX", { volumeAttributesClassName: "non-existing" }),
      "none",
    ],
    [
      "1G RWO silver with the selector",
      claim("1G", "RWO", { storageClassName: "silver", ...sharedSelector }),
      "gce-pd-silver1",
    ],
    ["1G RWO silver", claim("1G", "RWO", { storageClassName: "silver" }), "gce-pd-silver2"],
    ["1E RWO large", claim("1E", "RWO", { storageClassName: "large" }), "local-pd-very-large"],
    [
      "800E RWO large",
      claim("800E", "RWO", { storageClassName: "large" }),
      "local-pd-extremely-large",
    ],
    ["950E RWO large", claim("950E", "RWO", { storageClassName: "large" }), "none"],
  ];
  for (const [name, wanted, expected] of cases) {
    test(`${name} gets ${expected}`, () => assert.equal(nameOfMatch(stock, wanted), expected));
  }

  test("8G RWO+ROX with delayed binding gets none", () => {
    assert.equal(nameOfMatch(stock, claim("8G", "RWO,ROX"), { ...atOnce, delayed: true }), "none");
  });

  test("without the feature gate a volume with a VolumeAttributesClass matches no claim", () => {
    const gold = [volume("gold", "1Gi", "RWO", { spec: { volumeAttributesClassName: "gold" } })];
    assert.equal(
      nameOfMatch(gold, claim("1Gi", "RWO"), { delayed: false, attributesClasses: false }),
      "none",
    );
  });
});

suite("matching: separate set-ups", () => {
  const claimRef = (
    name: string,
    uid?: string,
  ): { namespace: string; name: string; uid?: string } => ({
    namespace: "default",
    name,
    ...(uid !== undefined && { uid }),
  });
  const ebs = volume("ebs", "10G", "RWO");
  const gce = volume("gce", "10G", "RWO,ROX");
  const nfs = volume("nfs", "10G", "RWO,ROX,RWX");
  const emptyRef = { spec: { claimRef: {} } };
  const modesCases = [
    ["RWO", "ebs"],
    ["RWO,ROX", "gce"],
    ["RWX,RWO,ROX", "nfs"],
    ["RWX", "nfs"],
    ["ROX", "gce"],
  ] as const;
  for (const [wanted, expected] of modesCases) {
    test(`${wanted} gets ${expected}: of the volumes with the fewest access modes that fit`, () => {
      assert.equal(nameOfMatch([nfs, gce, ebs], claim("1G", wanted)), expected);
    });
  }

  test("a volume with an empty claimRef is not free", () => {
    const taken = volume("ebs", "10G", "RWO", emptyRef);
    assert.equal(nameOfMatch([taken, gce, nfs], claim("1G", "RWO")), "gce");
    assert.equal(
      nameOfMatch([taken, volume("gce", "10G", "RWO,ROX", emptyRef), nfs], claim("1G", "RWO")),
      "nfs",
    );
  });

  test("of two equal volumes the one bound to another claim is skipped", () => {
    const taken = volume("a", "1Gi", "RWO", { spec: { claimRef: claimRef("claim01", "abc123") } });
    assert.equal(nameOfMatch([taken, volume("b", "1Gi", "RWO")], claim("1Gi", "RWO")), "b");
  });

  const sizes = (reserved: string, by: string): PersistentVolume[] =>
    (
      [
        ["pv1", "1Gi", "RWO"],
        ["pv5", "5Gi", "RWO"],
        ["pv8", "8Gi", "RWO"],
        ["pvBadSize", "1Mi", "RWO"],
        ["pvBadMode", "1Gi", "ROX"],
      ] as const
    ).map(([name, size, mode]) =>
      volume(name, size, mode, name === reserved ? { spec: { claimRef: claimRef(by) } } : {}),
    );
  const reservedCases = [
    ["", "", "pv1"],
    ["pv1", "somebody-else", "pv5"],
    ["pv8", "claim01", "pv8"],
    ["pvBadSize", "claim01", "pv1"],
    ["pvBadMode", "claim01", "pv1"],
  ] as const;
  for (const [reserved, by, expected] of reservedCases) {
    test(`with ${reserved === "" ? "no volume" : reserved} reserved${by === "" ? "" : ` for ${by}`} the claim gets ${expected}`, () => {
      assert.equal(nameOfMatch(sizes(reserved, by), claim("1Gi", "RWO")), expected);
    });
  }

  test("a volume that is being deleted matches no claim", () => {
    const leaving = volume("pv1", "1Gi", "RWO", {
      metadata: { deletionTimestamp: "2026-01-01T00:00:00Z" },
    });
    assert.equal(nameOfMatch([leaving], claim("1Gi", "RWO")), "none");
  });

  const volumeModes = ["Block", "Filesystem", undefined] as const;
  for (const wanted of volumeModes) {
    for (const offered of volumeModes) {
      const fits = (wanted ?? "Filesystem") === (offered ?? "Filesystem");
      test(`a claim with volume mode ${wanted} ${fits ? "matches" : "does not match"} a volume with ${offered}`, () => {
        const volumes = [
          volume("pv", "1Gi", "RWO", {
            spec: offered === undefined ? {} : { volumeMode: offered },
          }),
        ];
        const found = nameOfMatch(
          volumes,
          claim("1Gi", "RWO", wanted === undefined ? {} : { volumeMode: wanted }),
        );
        assert.equal(found, fits ? "pv" : "none");
      });
    }
  }

  const offered = [
    ["RWX", "pv"],
    ["RWX,RWO", "pv"],
    ["ROX", "none"],
    ["RWX,ROX", "none"],
  ] as const;
  for (const [wanted, expected] of offered) {
    test(`a volume with RWO+RWX for a claim with ${wanted}: ${expected}`, () => {
      assert.equal(nameOfMatch([volume("pv", "1Gi", "RWO,RWX")], claim("1Gi", wanted)), expected);
    });
  }

  test("of equal sizes the first by name is chosen, whatever the order of creation", () => {
    const pair = [volume("b", "1Gi", "RWO"), volume("a", "1024Mi", "RWO")];
    assert.equal(nameOfMatch(pair, claim("1Gi", "RWO")), "a");
  });
});

suite("matching for a node", () => {
  const waits = { storageClassName: "wait" };

  test("only volumes within the node's reach count", () => {
    assert.equal(nameForNode(stock, claim("1G", "RWO", waits), "a"), "affinity-a");
    assert.equal(nameForNode(stock, claim("8G", "RWO", waits), "a"), "affinity-a-large");
    assert.equal(nameForNode(stock, claim("1G", "RWO", waits), "b"), "affinity-b");
    assert.equal(nameForNode(stock, claim("1G", "RWO", waits), "c"), "none");
  });

  test("a volume that another claim of the pod has taken is skipped", () => {
    assert.equal(
      nameForNode(stock, claim("1G", "RWO", waits), "a", ["affinity-a"]),
      "affinity-a-large",
    );
  });

  test("a reserved volume out of the node's reach leaves the claim without a volume", () => {
    const reserved = volume("mine", "1G", "RWO", {
      spec: {
        ...waits,
        nodeAffinity: inZone("b"),
        claimRef: { namespace: "default", name: "claim01" },
      },
    });
    assert.equal(nameForNode([...stock, reserved], claim("1G", "RWO", waits), "a"), "none");
    assert.equal(nameForNode([...stock, reserved], claim("1G", "RWO", waits), "b"), "mine");
  });

  test("the smallest volume wins, whatever its access modes", () => {
    const volumes = [volume("few-modes", "2Gi", "RWO"), volume("many-modes", "1Gi", "RWO,ROX,RWX")];
    assert.equal(nameForNode(volumes, claim("1Gi", "RWO"), "a"), "many-modes");
    assert.equal(nameOfMatch(volumes, claim("1Gi", "RWO")), "few-modes");
  });
});

suite("near misses", () => {
  test("list each rule that a volume failed, the nearest volume first and taken ones last", () => {
    const volumes = [
      volume("far", "1Mi", "ROX", { spec: { storageClassName: "fast" } }),
      volume("small", "1Gi", "RWO"),
      volume("taken", "5Gi", "RWO", {
        phase: "Bound",
        spec: { claimRef: { namespace: "default", name: "other", uid: "u1" } },
      }),
    ];
    const request = matchRequest(claim("2Gi", "RWO"), atOnce);
    const misses = nearMisses(inventoryOf(volumes), request, undefined);
    assert.deepEqual(
      misses.map(({ ref, failed }) => [
        ref,
        failed.map((f) => `${f.rule}: ${f.wanted} / ${f.found}`),
      ]),
      [
        ["PersistentVolume//small", ["capacity: 2Gi / 1Gi"]],
        [
          "PersistentVolume//far",
          ["capacity: 2Gi / 1Mi", "storage-class:  / fast", "access-modes: RWO / ROX"],
        ],
        ["PersistentVolume//taken", ["claim-ref: no claim, or default/claim01 / default/other"]],
      ],
    );
  });

  test("say why the chosen volume was preferred to another that fits", () => {
    const volumes = [
      volume("small", "1Gi", "RWO"),
      volume("large", "5Gi", "RWO"),
      volume("shared", "1Gi", "RWO,RWX"),
    ];
    const inventory = inventoryOf(volumes);
    const request = matchRequest(claim("1Gi", "RWO"), atOnce);
    const misses = nearMisses(inventory, request, inventory.find(request));
    assert.deepEqual(
      misses.map(({ ref, failed }) => [ref, ...failed.map((f) => f.rule)]),
      [
        ["PersistentVolume//large", "smaller-volume-first"],
        ["PersistentVolume//shared", "fewer-access-modes-first"],
      ],
    );
  });

  test("say that a reserved volume was preferred, whatever its size", () => {
    const reserved = volume("reserved", "9Gi", "RWO", {
      spec: { claimRef: { namespace: "default", name: "claim01" } },
    });
    const inventory = inventoryOf([reserved, volume("small", "1Gi", "RWO")]);
    const request = matchRequest(claim("1Gi", "RWO"), atOnce);
    assert.deepEqual(nearMisses(inventory, request, inventory.find(request)), [
      {
        ref: "PersistentVolume//small",
        failed: [
          {
            rule: "reserved-volume-first",
            wanted: "reserved, reserved for the claim",
            found: "not reserved",
            foundField: "spec.claimRef",
          },
        ],
      },
    ]);
  });

  test("list a volume that is being deleted after one that an edit would make fit", () => {
    const leaving = volume("leaving", "2Gi", "RWO", {
      metadata: { deletionTimestamp: "2026-01-01T00:00:00Z" },
    });
    const mendable = volume("mendable", "1Gi", "ROX");
    const request = matchRequest(claim("2Gi", "RWO"), atOnce);
    assert.deepEqual(
      nearMisses(inventoryOf([leaving, mendable]), request, undefined).map(({ ref }) => ref),
      ["PersistentVolume//mendable", "PersistentVolume//leaving"],
    );
  });

  test("contain, of many volumes, only the one that would have been chosen next", () => {
    const request = matchRequest(claim("1Gi", "RWO"), atOnce);
    const many = Array.from({ length: 100 }, (_, i) => volume(`v${i}`, `${i + 2}Gi`, "RWO"));
    const reserved = volume("reserved", "1500Mi", "RWO", {
      spec: { claimRef: { namespace: "default", name: "other" } },
    });
    const missesOf = (volumes: readonly PersistentVolume[]): readonly string[] => {
      const inventory = inventoryOf(volumes);
      const misses = nearMisses(inventory, request, inventory.find(request));
      return misses.map(({ ref, failed }) => `${ref} ${failed.map((f) => f.rule).join()}`);
    };
    assert.deepEqual(missesOf([...many, reserved]), ["PersistentVolume//v1 smaller-volume-first"]);
    const alone = many.map((v) => ({ ...v, spec: { ...v.spec, storageClassName: "fast" } }));
    assert.deepEqual(missesOf([...alone, volume("only", "1Gi", "RWO")]), []);
  });

  test("contain at most ten of few volumes, and the nearest free ones of many", () => {
    const request = matchRequest(claim("2Gi", "RWO"), atOnce);
    const equal = (count: number): PersistentVolume[] =>
      Array.from({ length: count }, (_, i) => volume(`v${i}`, "1Gi", "RWO"));
    assert.equal(nearMisses(inventoryOf(equal(60)), request, undefined).length, 10);
    const taken = equal(500).map((v) => ({
      ...v,
      spec: { ...v.spec, claimRef: { namespace: "default", name: "other", uid: "u1" } },
    }));
    const near = volume("near", "1500Mi", "RWO");
    const misses = nearMisses(inventoryOf([...taken, near]), request, undefined);
    assert.deepEqual(
      misses.map(({ ref }) => ref),
      ["PersistentVolume//near"],
    );
  });
});

suite("what a volume lacks", () => {
  const failures = (
    lacking: PersistentVolume,
    wanted: PersistentVolumeClaim,
    more: Partial<MatchRequest> = {},
  ): readonly string[] => {
    const request = { ...matchRequest(wanted, atOnce), ...more };
    const lines: string[] = [];
    eachFailedRule(lacking, request, ({ explain }) => {
      const failed = explain(lacking, request);
      const places = `${failed.wantedField ?? "-"} / ${failed.foundField ?? "-"}`;
      lines.push(`${failed.rule}: ${failed.wanted} / ${failed.found} (${places})`);
    });
    return lines;
  };

  test("is listed by rule, with what the claim wants, what the volume has, and the fields of both", () => {
    const wanted = claim("5Gi", "RWX,ROX", {
      storageClassName: "fast",
      volumeMode: "Block",
      volumeAttributesClassName: "gold",
      selector: {
        matchLabels: { app: "db" },
        matchExpressions: [
          { key: "tier", operator: "Exists" },
          { key: "disk", operator: "In", values: ["ssd", "nvme"] },
        ],
      },
    });
    const lacking = volume("pv", "1Gi", "RWO", {
      metadata: { labels: { app: "web" }, deletionTimestamp: "2026-01-01T00:00:00Z" },
      spec: { storageClassName: "slow", nodeAffinity: inZone("a") },
      phase: "Released",
    });
    const node = { name: "node-b", labels: { zone: "b" } };
    assert.deepEqual(failures(lacking, wanted, { node, excluded: new Set(["pv"]) }), [
      "taken-by-same-pod: a volume of its own / taken by another claim of the same pod (- / -)",
      "capacity: 5Gi / 1Gi (spec.resources.requests.storage / spec.capacity.storage)",
      "volume-mode: Block / Filesystem (spec.volumeMode / spec.volumeMode)",
      "volume-attributes-class: gold /  (spec.volumeAttributesClassName / spec.volumeAttributesClassName)",
      "deletion: a volume that is not being deleted / being deleted since 2026-01-01T00:00:00Z (- / metadata.deletionTimestamp)",
      "phase: Available / Released (- / status.phase)",
      "selector: app=db, tier Exists, disk In (ssd, nvme) / app=web (spec.selector / metadata.labels)",
      "storage-class: fast / slow (spec.storageClassName / spec.storageClassName)",
      "node-affinity: reachable from node node-b / zone in (a) (- / spec.nodeAffinity)",
      "access-modes: ROX,RWX / RWO (spec.accessModes / spec.accessModes)",
    ]);
    const others = volume("pv", "5Gi", "RWO", {
      spec: { claimRef: { namespace: "default", name: "claim01", uid: "old" } },
    });
    assert.deepEqual(failures(others, claim("1Gi", "RWO")), [
      "claim-ref: no claim, or default/claim01 / default/claim01 with uid old (- / spec.claimRef)",
    ]);
  });
});
