import assert from "node:assert/strict";
import { readProjectFile } from "../../../src/language-server/project/project-file.ts";
import { printPath } from "../../../src/language-server/yaml/field-path.ts";

function problemsOf(text: string): readonly string[] {
  return readProjectFile(text).problems.map(
    ({ path, message }) => `${printPath(path)}: ${message}`,
  );
}

suite("claimcheck.yaml", () => {
  test("sets the profile, the version and severities", () => {
    const project = readProjectFile(
      "profile: eks\nkubernetesVersion: 1.34\nrules:\n  pvc-unused: off\n  pv-unclaimed: error\n",
    );
    assert.equal(project.profile, "eks");
    assert.equal(project.kubernetesVersion, "1.34");
    assert.deepEqual(
      [...project.rules],
      [
        ["pvc-unused", "off"],
        ["pv-unclaimed", "error"],
      ],
    );
    assert.deepEqual(project.problems, []);
  });

  test("names one or several imports", () => {
    const filesOf = (text: string): readonly string[] =>
      readProjectFile(text).imports.map(({ file }) => file);
    assert.deepEqual(filesOf("cluster: { import: cluster.yaml }"), ["cluster.yaml"]);
    assert.deepEqual(filesOf("cluster: { import: [a.yaml, ../b.json] }"), ["a.yaml", "../b.json"]);
    assert.deepEqual(filesOf("cluster:"), []);
    const mistaken = ["cluster: x", "cluster: { file: x }", "cluster: { import: [1] }"];
    for (const text of mistaken)
      assert.match(problemsOf(text).join(), /^cluster: A cluster must be/);
  });

  test("is used as far as it is correct", () => {
    const text =
      "profile: [eks]\nkubernetesVersion: 1.12\nrules: { pvc-unused: loud, pv-unclaimed: hint }\nprofiles: x\n";
    assert.deepEqual(problemsOf(text), [
      "profiles: Unknown key “profiles”; known are profile, cluster, folders, kustomization, charts, kubernetesVersion, drivers, rules, suppressions",
      "profile: The profile is a name",
      "kubernetesVersion: The Kubernetes version must be one of 1.32, 1.33, 1.34, 1.35, 1.36, not 1.12",
      "rules.pvc-unused: A severity must be one of error, warning, information, hint, off",
    ]);
    assert.deepEqual([...readProjectFile(text).rules], [["pv-unclaimed", "hint"]]);
  });

  test("has a driver's mistakes reported at their place, without effect on other drivers", () => {
    const text = `drivers:
  - { name: a.example, expansion: sometimes }
  - { name: b.example, minSize: 1Gi, acessModes: [ReadWriteOnce] }
  - { snapshots: true }
  - { name: c.example, maxSize: big }
  - { name: d.example, accessModes: [ReadWriteOnce], maxSize: 512Gi }
`;
    assert.deepEqual(problemsOf(text), [
      "drivers[0].expansion: “expansion” must be one of online, offline, onNode, none",
      "drivers[1].acessModes: Unknown key “acessModes”",
      "drivers[2]: “name” is missing",
      "drivers[3].maxSize: “maxSize” must be a size such as 10Gi",
    ]);
    assert.deepEqual([...readProjectFile(text).drivers.described.keys()], ["d.example"]);
    assert.match(problemsOf("drivers: { name: a }").join(), /^drivers: “drivers” must be a list/);
  });

  test("gets a suggestion for a mistyped key", () => {
    const [problem] = readProjectFile("profil: eks\n").problems;
    assert.deepEqual([problem?.message, problem?.meant], ["Unknown key “profil”", "profile"]);
  });

  test("has a version that is not a text reported like an unknown one", () =>
    assert.deepEqual(problemsOf("kubernetesVersion: { toString: null }\n"), [
      'kubernetesVersion: The Kubernetes version must be one of 1.32, 1.33, 1.34, 1.35, 1.36, not {"toString":null}',
    ]));

  test("may have the version in the form that servers report", () => {
    const versionIn = (text: string) =>
      readProjectFile(`kubernetesVersion: ${text}\n`).kubernetesVersion;
    for (const text of ["v1.33", "1.33.5", "v1.33.5-gke.1080000", "v1.33.5+k3s1", "1.33"])
      assert.equal(versionIn(text), "1.33", text);
    for (const text of ["1.4", '"1.31"', "latest", "1.33.x", "1.333", "[1.33]"]) {
      assert.equal(versionIn(text), undefined, text);
      assert.match(problemsOf(`kubernetesVersion: ${text}\n`).join(), /1\.36, not [^,]+$/, text);
    }
    assert.deepEqual(problemsOf("kubernetesVersion:\n"), [
      "kubernetesVersion: The Kubernetes version must be one of 1.32, 1.33, 1.34, 1.35, 1.36",
    ]);
  });

  test("that is empty or broken has no problems, but a list is refused", () => {
    for (const text of ["", "profile: [", "# note"]) assert.deepEqual(problemsOf(text), []);
    assert.deepEqual(problemsOf("- eks"), [": The project file must be a mapping"]);
  });
});
