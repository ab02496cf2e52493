/** Messages of drivers about missing keys of secrets, and the causes that verdicts give for them. */
import assert from "node:assert/strict";
import type { Verdict } from "../../../src/engine/explain/verdict.ts";
import { verdicts } from "../../../src/engine/explain/verdicts.ts";
import type { Step } from "../../../src/engine/scenario.ts";
import type { Simulation } from "../../../src/engine/simulation.ts";
import { parseManifests } from "../../conformance/scenario-file.ts";
import { assumedRun } from "../../support/assumed-run.ts";

interface Written {
  readonly driver: string;
  readonly parameters?: string;
  /** From the role of a secret to the fields of the Secret, as YAML. */
  readonly secrets: Readonly<Record<string, string>>;
  readonly more?: readonly Step[];
  readonly profile?: string;
}

/** A run with a claim, its pod, and its class, which names a Secret for each of the roles. */
function simulated({ driver, parameters = "", secrets, more = [], profile }: Written): Simulation {
  const roles = Object.keys(secrets);
  const named = roles.map(
    (role) =>
      `, csi.storage.k8s.io/${role}-secret-name: ${role}, csi.storage.k8s.io/${role}-secret-namespace: default`,
  );
  return applied(
    [
      ...roles.map((role) => secret(role, secrets[role] ?? "")),
      `
apiVersion: storage.k8s.io/v1
kind: StorageClass
metadata: {name: fast}
provisioner: ${driver}
volumeBindingMode: Immediate
allowVolumeExpansion: true
parameters: {x: ""${parameters}${named.join("")}}`.replace('x: "", ', ""),
      claim(),
      pod("persistentVolumeClaim: {claimName: data}"),
    ],
    more,
    profile,
  );
}

function applied(
  texts: readonly string[],
  more: readonly Step[] = [],
  profile = "generic",
): Simulation {
  return assumedRun(texts.join("\n---\n"), profile, more);
}

function secret(name: string, fields: string): string {
  return `apiVersion: v1\nkind: Secret\nmetadata: {name: ${name}}\n${fields}`;
}

function claim(size = "1Gi"): string {
  return `apiVersion: v1
kind: PersistentVolumeClaim
metadata: {name: data}
spec: {storageClassName: fast, accessModes: [ReadWriteOnce], resources: {requests: {storage: ${size}}}}`;
}

function pod(source: string): string {
  return `apiVersion: v1
kind: Pod
metadata: {name: app}
spec:
  containers: [{name: app, image: busybox, volumeMounts: [{name: data, mountPath: /data}]}]
  volumes: [{name: data, ${source}}]`;
}

function verdictOn(ref: string, simulation: Simulation): Verdict {
  const verdict = verdicts(simulation.run()).find((v) => v.ref === ref);
  assert.ok(verdict !== undefined, `no verdict on ${ref}`);
  return verdict;
}

const ofClaim = (written: Written): Verdict =>
  verdictOn("PersistentVolumeClaim/default/data", simulated(written));
const ofPod = (written: Written): Verdict => verdictOn("Pod/default/app", simulated(written));

/** The driver's part of the message, the root's object and field, and the first fix. */
function told({ message = "", root, fixes }: Verdict): readonly (string | undefined)[] {
  return [/rpc error: code = .*$/.exec(message)?.[0], root?.ref, root?.field, fixes[0]?.text];
}

const growth: readonly Step[] = [
  { type: "apply", manifests: parseManifests(claim("2Gi")) },
  { type: "advance", ms: 200_000 },
];

const rbd = { driver: "rbd.csi.ceph.com", parameters: ", clusterID: c, pool: p" };
const cephfs = { driver: "cephfs.csi.ceph.com", parameters: ", clusterID: c, fsName: f" };
const user = "stringData: {userID: kubernetes, userKey: k}";
const admin = "stringData: {adminID: admin, adminKey: k}";

suite("keys of drivers' secrets", () => {
  test("RBD needs a user, but is often given an administrator", () => {
    const verdict = ofClaim({ ...rbd, secrets: { provisioner: admin } });
    assert.deepEqual(told(verdict), [
      "rpc error: code = InvalidArgument desc = missing ID field 'userID' in secrets",
      "Secret/default/provisioner",
      "data[adminID]",
      'rename adminID to userID in Secret "default/provisioner"',
    ]);
    assert.match(verdict.headline, /its volume: Secret "default\/provisioner" has no userID$/);
    assert.equal(verdict.reason, "ProvisioningFailed");
    assert.deepEqual(
      verdict.chain.slice(1).map(({ ref, text }) => `${ref} ${text}`),
      [
        "StorageClass//fast is its class",
        "Secret/default/provisioner is the secret that its driver is given",
      ],
    );
    const keyless = ofClaim({ ...rbd, secrets: { provisioner: "stringData: {userID: x}" } });
    assert.deepEqual(told(keyless), [
      "rpc error: code = InvalidArgument desc = missing key field 'userKey' in secrets",
      "Secret/default/provisioner",
      "data",
      'add userKey to Secret "default/provisioner"',
    ]);
  });

  test("a corrected secret is no longer blamed, nor is what names it", () => {
    const fixedBy = (role: string, fields: string): readonly Step[] => [
      { type: "apply", manifests: parseManifests(secret(role, fields)) },
    ];
    const more = fixedBy("provisioner", user);
    const ofDriver = ofClaim({ ...rbd, secrets: { provisioner: admin }, more });
    assert.match(ofDriver.headline, /^stays Pending: .*missing ID field 'userID' in secrets$/);
    assert.deepEqual(ofDriver.root, { ref: "PersistentVolumeClaim/default/data" });
    const ofNode = ofPod({
      driver: "driver.longhorn.io",
      parameters: ', encrypted: "true"',
      secrets: { "node-stage": "stringData: {CRYPTO_KEY_PROVIDER: secret}" },
      more: fixedBy("node-stage", "stringData: {CRYPTO_KEY_VALUE: k}"),
    });
    assert.match(ofNode.message ?? "", /missing passphrase for encrypted volume/);
    assert.deepEqual(ofNode.root, { ref: "Pod/default/app", field: "spec.volumes[0]" });
  });

  test("nothing is reported for a secret with all keys, of the in-tree plugin, or filled in by others", () => {
    const secrets = [
      user,
      "data: {userID: eA==, userKey: eA==}",
      "data: {key: eA==}",
      "",
      "data: {}",
    ];
    for (const fields of secrets) {
      const roles = { provisioner: fields, "node-stage": fields, "controller-expand": fields };
      assert.equal(ofPod({ ...rbd, secrets: roles }).kind, "healthy", fields);
    }
  });

  test("a node may have another secret than the provisioner", () => {
    const secrets = { provisioner: user, "node-stage": "stringData: {userid: x, userKey: k}" };
    const verdict = ofPod({ ...rbd, secrets });
    assert.deepEqual(told(verdict), [
      "rpc error: code = InvalidArgument desc = missing ID field 'userID' in secrets",
      "Secret/default/node-stage",
      "data[userid]",
      'rename userid to userID in Secret "default/node-stage"',
    ]);
    assert.match(verdict.message ?? "", /^MountVolume\.MountDevice failed for volume "pvc-/);
    assert.equal(verdict.chain.at(-1)?.ref, "Secret/default/node-stage");
  });

  test("an encrypted Ceph volume needs a passphrase, unless its key is kept elsewhere", () => {
    const encrypted = (more: string): Verdict =>
      ofClaim({
        ...rbd,
        parameters: `${rbd.parameters}, encrypted: "true"${more}`,
        secrets: { provisioner: user, "node-stage": user },
      });
    assert.deepEqual(told(encrypted("")), [
      "rpc error: code = InvalidArgument desc = invalid encryption kms configuration: missing encryption passphrase in secrets",
      "Secret/default/provisioner",
      "data",
      'add encryptionPassphrase to Secret "default/provisioner"',
    ]);
    assert.equal(encrypted(", encryptionKMSID: vault").kind, "healthy");
    const share = ofClaim({
      ...cephfs,
      parameters: `${cephfs.parameters}, encrypted: "false"`,
      secrets: { provisioner: user, "node-stage": user },
    });
    assert.deepEqual(told(share), [
      "rpc error: code = InvalidArgument desc = failed to init KMS: invalid encryption kms configuration: missing encryption passphrase in secrets",
      "Secret/default/provisioner",
      "data",
      'add encryptionPassphrase to Secret "default/provisioner"',
    ]);
  });

  test("CephFS takes a user or an administrator, but for static volumes only a user", () => {
    const both = (fields: string): Verdict =>
      ofPod({ ...cephfs, secrets: { provisioner: fields, "node-stage": fields } });
    assert.equal(both(user).kind, "healthy");
    assert.equal(both(admin).kind, "healthy");
    const neither = { provisioner: "stringData: {adminKey: k}" };
    assert.deepEqual(told(ofClaim({ ...cephfs, secrets: neither })), [
      "rpc error: code = InvalidArgument desc = missing ID field 'adminID' in secrets",
      "Secret/default/provisioner",
      "data",
      'add userID and userKey to Secret "default/provisioner"',
    ]);
    const byHand = applied([
      secret("login", admin),
      `apiVersion: v1
kind: PersistentVolume
metadata: {name: pv}
spec:
  capacity: {storage: 1Gi}
  accessModes: [ReadWriteOnce]
  storageClassName: fast
  csi:
    driver: cephfs.csi.ceph.com
    volumeHandle: pv
    volumeAttributes: {staticVolume: "true", clusterID: c, fsName: f, rootPath: /}
    nodeStageSecretRef: {name: login, namespace: default}`,
      claim(),
      pod("persistentVolumeClaim: {claimName: data}"),
    ]);
    assert.deepEqual(told(verdictOn("Pod/default/app", byHand)), [
      "rpc error: code = Internal desc = failed to get user credentials from node stage secrets: missing ID field 'userID' in secrets",
      "Secret/default/login",
      "data[adminID]",
      'rename adminID to userID in Secret "default/login"',
    ]);
  });

  test("a volume is expanded with the secret for expansion", () => {
    const secrets = { provisioner: user, "node-stage": user, "controller-expand": admin };
    const verdict = ofClaim({ ...rbd, secrets, more: growth });
    assert.deepEqual(told(verdict), [
      "rpc error: code = InvalidArgument desc = missing ID field 'userID' in secrets",
      "Secret/default/controller-expand",
      "data[adminID]",
      'rename adminID to userID in Secret "default/controller-expand"',
    ]);
    assert.match(verdict.headline, /^is 1Gi, and cannot grow to 2Gi: Secret /);
  });

  test("Longhorn needs a passphrase for encrypted volumes", () => {
    const encrypted = (fields: string): Verdict =>
      ofPod({
        driver: "driver.longhorn.io",
        parameters: ', encrypted: "true"',
        secrets: { "node-stage": fields },
      });
    const [message = "", ...places] = told(encrypted("stringData: {CRYPTO_KEY_PROVIDER: secret}"));
    assert.match(message, /InvalidArgument desc = missing passphrase for encrypted volume pvc-/);
    assert.deepEqual(places, [
      "Secret/default/node-stage",
      "data",
      'add CRYPTO_KEY_VALUE to Secret "default/node-stage"',
    ]);
    assert.equal(encrypted("stringData: {CRYPTO_KEY_VALUE: k}").kind, "healthy");
  });

  test("Scaleway's node plugin needs a passphrase to mount an encrypted volume, and again to expand it", () => {
    const scaleway = {
      driver: "csi.scaleway.com",
      parameters: ', encrypted: "true"',
    };
    const key = "stringData: {encryptionPassphrase: x}";
    const other = "stringData: {encryptionPassPhrase: x}";
    const staged = ofPod({ ...scaleway, secrets: { "node-stage": other } });
    assert.deepEqual(told(staged), [
      "rpc error: code = InvalidArgument desc = missing passphrase secret for key encryptionPassphrase",
      "Secret/default/node-stage",
      "data[encryptionPassPhrase]",
      'rename encryptionPassPhrase to encryptionPassphrase in Secret "default/node-stage"',
    ]);
    const unnamed = ofPod({ ...scaleway, secrets: {} });
    assert.deepEqual(unnamed.root, { ref: "StorageClass//fast", field: "parameters" });
    const byCloud = `${scaleway.parameters}, kmsKeyId: 00000000-1111-2222-3333-444444444444`;
    assert.equal(ofPod({ ...scaleway, parameters: byCloud, secrets: {} }).kind, "healthy");
    const grown = (secrets: Readonly<Record<string, string>>): Verdict =>
      ofClaim({ ...scaleway, secrets: { "node-stage": key, ...secrets }, more: growth });
    const refused =
      "device /dev/mapper/scw-luks-… is LUKS encrypted, but no passphrase was provided";
    assert.match(grown({}).message ?? "", new RegExp(`InvalidArgument desc = ${refused}`));
    assert.match(grown({}).fixes[0]?.text ?? "", /node-expand-secret-name/);
    assert.deepEqual(told(grown({ "node-expand": other })), [
      `rpc error: code = InvalidArgument desc = ${refused}`,
      "Secret/default/node-expand",
      "data[encryptionPassPhrase]",
      'rename encryptionPassPhrase to encryptionPassphrase in Secret "default/node-expand"',
    ]);
    assert.equal(grown({ "node-expand": key }).kind, "healthy");
  });

  test("Longhorn's node plugin does not expand an encrypted volume without a passphrase, and ignores a missing secret", () => {
    const grown = (secrets: Readonly<Record<string, string>>): Verdict =>
      ofClaim({
        driver: "driver.longhorn.io",
        parameters: ', encrypted: "true"',
        secrets: { "node-stage": "stringData: {CRYPTO_KEY_VALUE: x}", ...secrets },
        more: growth,
      });
    const lacking = grown({ "node-expand": "stringData: {CRYPTO_KEY_PROVIDER: secret}" });
    assert.match(lacking.message ?? "", /desc = missing passphrase for encrypted volume pvc-/);
    assert.equal(lacking.root?.ref, "Secret/default/node-expand");
    assert.equal(grown({}).kind, "healthy");
  });

  test("Linode's node plugin needs a key and a cipher for encrypted volumes", () => {
    const key = "linodebs.csi.linode.com/luks";
    const how = `, ${key}-cipher: aes-xts-plain64, ${key}-key-size: "512"`;
    const encrypted = (secrets: Readonly<Record<string, string>>, parameters = how): Verdict =>
      ofPod({
        driver: "linodebs.csi.linode.com",
        profile: "lke",
        parameters: `, ${key}-encrypted: "true"${parameters}`,
        secrets,
      });
    const luksKey = { "node-stage": "stringData: {luksKey: x}" };
    const [message = "", ...places] = told(encrypted({ "node-stage": "stringData: {key: x}" }));
    const words = 'Failed to luks format validation ("/dev/disk/by-id/…"): no encryption';
    assert.equal(message, `rpc error: code = Internal desc = ${words} key provided`);
    assert.deepEqual(places, [
      "Secret/default/node-stage",
      "data",
      'add luksKey to Secret "default/node-stage"',
    ]);
    assert.deepEqual(encrypted({}).root, { ref: "StorageClass//fast", field: "parameters" });
    assert.equal(encrypted(luksKey).kind, "healthy");
    assert.ok(
      encrypted(luksKey, "").message?.endsWith(
        `${words} cipher provided\nno encryption key size provided`,
      ),
    );
    const onlyCipher = `, ${key}-cipher: aes-xts-plain64`;
    const onlySize = `, ${key}-key-size: "512"`;
    for (const secrets of [luksKey, {}]) {
      const sizeMissing = "no encryption key size provided";
      assert.ok(encrypted(secrets, onlyCipher).message?.endsWith(sizeMissing));
      assert.ok(encrypted(secrets, onlySize).message?.endsWith("no encryption cipher provided"));
    }
  });

  test("Azure Files needs account and key, by either name, in any case", () => {
    const ofAccount = (keys: string, parameters = ""): Verdict =>
      ofPod({
        driver: "file.csi.azure.com",
        profile: "aks",
        parameters,
        secrets: { "node-stage": `stringData: ${keys}` },
      });
    const [message = "", ...places] = told(
      ofAccount("{storageAccountName: a, azurestorageaccountkey: k}"),
    );
    assert.match(
      message,
      /InvalidArgument desc = GetAccountInfo\(.*\) failed with error: could not find accountname or azurestorageaccountname field in secrets$/,
    );
    assert.deepEqual(places, [
      "Secret/default/node-stage",
      "data[storageAccountName]",
      'rename storageAccountName to azurestorageaccountname in Secret "default/node-stage"',
    ]);
    assert.equal(ofAccount("{accountName: a, AzureStorageAccountKey: k}").kind, "healthy");
    assert.equal(
      ofAccount("{password: k}", ", protocol: nfs, skuName: Premium_LRS").kind,
      "healthy",
    );
  });

  test("Azure Files needs them for an inline share of a pod too", () => {
    const share = (keys: string): Verdict =>
      verdictOn(
        "Pod/default/app",
        applied(
          [
            secret("account", `stringData: ${keys}`),
            pod("azureFile: {secretName: account, shareName: s}"),
          ],
          [],
          "aks",
        ),
      );
    const [message = "", ...places] = told(share("{azurestorageaccountname: a}"));
    assert.match(message, /could not find accountkey or azurestorageaccountkey field in secrets$/);
    assert.deepEqual(places.slice(0, 2), ["Secret/default/account", "data"]);
    assert.equal(share("{azurestorageaccountname: a, azurestorageaccountkey: k}").kind, "healthy");
  });

  test("JuiceFS needs the file system's name, Manila needs credentials", () => {
    const juicefs = ofPod({
      driver: "csi.juicefs.com",
      secrets: { "node-publish": "stringData: {metaurl: redis, Name: files}" },
    });
    assert.deepEqual(told(juicefs), [
      "rpc error: code = Internal desc = Could not mount juicefs: rpc error: code = InvalidArgument desc = Empty name",
      "Secret/default/node-publish",
      "data[Name]",
      'rename Name to name in Secret "default/node-publish"',
    ]);
    const manila = ofClaim({
      driver: "nfs.manila.csi.openstack.org",
      parameters: ", type: default",
      secrets: { provisioner: "stringData: {OS_AUTH_URL: u, os-region: r}" },
    });
    assert.deepEqual(told(manila), [
      "rpc error: code = InvalidArgument desc = invalid OpenStack secrets: missing required parameter 'os-authURL'",
      "Secret/default/provisioner",
      "data[OS_AUTH_URL]",
      'rename OS_AUTH_URL to os-authURL in Secret "default/provisioner"',
    ]);
  });

  test("the contents of secrets are in no trace", () => {
    const run = simulated({ ...rbd, secrets: { provisioner: user, "node-stage": user } }).run();
    const requests = run.entries.filter((entry) => entry.type === "call");
    const secrets = requests.flatMap(({ request }) => request["secrets"] ?? []);
    assert.deepEqual([...new Set(secrets)], ["***stripped***"]);
  });
});
