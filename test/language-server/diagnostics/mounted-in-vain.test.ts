import { checkDiagnostics } from "../../support/language-features.ts";

const shares = (settings: string, options: string): string => `
      apiVersion: storage.k8s.io/v1
      kind: StorageClass
      metadata: { name: shares }
      ${settings}
      mountOptions: [${options}]
    `;

const azure = (protocol: string): string =>
  `provisioner: file.csi.azure.com\n      parameters: { protocol: ${protocol} }`;

suite("options of SMB where volumes are mounted by NFS", () => {
  test("are told, each with its item", () =>
    checkDiagnostics(
      `
      #- claimcheck.yaml
      profile: aks
      #- class.yaml${shares(azure("nfs"), 'nconnect=4, dir_mode=0777, "uid=1,actimeo=30"')}
      #                          ^^^^^^^^^^^^^ nfs-smb-options: dir_mode=0777 is an option of SMB, and the volume is mounted by NFS
      #                                         ^^^^^^^^^^^^^^^^^^ nfs-smb-options: uid=1 is an option of SMB
      #                                         ^^^^^^^^^^^^^^^^^^ mount-options-blank
    `.replace(/\n {4}\n/, "\n"),
    ));

  test("are told at a volume", () =>
    checkDiagnostics(`
      apiVersion: v1
      kind: PersistentVolume
      metadata: { name: share }
      spec:
        capacity: { storage: 1Gi }
        accessModes: [ReadWriteMany]
        storageClassName: ""
        mountOptions: [nobrl]
      #                ^^^^^ nfs-smb-options
        nfs: { server: files.example.com, path: / }
    `));

  for (const [why, settings, options] of [
    ["of shares of SMB", azure("smb"), "dir_mode=0777"],
    ["that the command is to leave out", azure("nfs"), "dir_mode=0777, sloppy"],
    ["that NFS knows", azure("nfs"), "nconnect=4, noresvport, actimeo=30, vers=4.1"],
  ] as const)
    test(`are not told ${why}`, () =>
      checkDiagnostics(`
      #- claimcheck.yaml
      profile: aks
      #- class.yaml${shares(settings, options)}`));
});

const nginx = (image: string, more = "", mounts = ""): string => `
      apiVersion: v1
      kind: Pod
      metadata: { name: web }
      spec:
        containers:
          - name: web
            image: ${image}
            ${more}
            volumeMounts: [{ name: d, mountPath: /data }${mounts}]
            securityContext: { readOnlyRootFilesystem: true }
        volumes: [{ name: d, emptyDir: {} }]
    `;

const mark = (message: string): string =>
  `\n      #                                                ^^^^ root-read-only: ${message}\n        volumes`;

suite("an image that writes to its root, which is read-only,", () => {
  test("is told with the directories that nothing is mounted at", () =>
    checkDiagnostics(
      nginx("docker.io/library/nginx:1.29").replace(
        "\n        volumes",
        mark("The image nginx writes to “/var/cache/nginx” and “/run” as it starts"),
      ),
    ));

  test("is told with the one that is left", () =>
    checkDiagnostics(
      nginx("nginx", "", ", { name: d, mountPath: /var/cache/nginx }").replace(
        "\n        volumes",
        mark("The image nginx writes to “/run” as it starts"),
      ),
    ));

  for (const [image, folders] of [
    ["postgres:16", "“/run/postgresql”"],
    ["postgres:18", "“/run/postgresql”"],
    ["mysql:8.4", "“/run/mysqld” and “/tmp”"],
    ["mariadb:11", "“/run/mysqld” and “/tmp”"],
  ] as const)
    test(`is told of ${image}`, () => {
      const name = image.replace(/:.*/, "");
      return checkDiagnostics(
        nginx(image).replace(
          "\n        volumes",
          mark(`The image ${name} writes to ${folders} as it starts`),
        ),
      );
    });

  for (const [why, text] of [
    [
      "where a database has its folders and its own configuration",
      nginx("mysql:8.4", "", ", { name: d, mountPath: /etc/mysql/conf.d }"),
    ],
    [
      "where both are mounted",
      nginx("nginx", "", ", { name: d, mountPath: /var/run }, { name: d, mountPath: /var/cache }"),
    ],
    [
      "where it brings another configuration",
      nginx("nginx", "", ", { name: d, mountPath: /etc/nginx/conf.d }"),
    ],
    ["where it is started otherwise", nginx("nginx", 'args: [nginx, -g, "pid /tmp/pid;"]')],
    ["of an image that is only called so", nginx("example.com/team/nginx")],
    [
      "where its root may be written",
      nginx("nginx").replace("readOnlyRootFilesystem: true", "runAsNonRoot: false"),
    ],
  ] as const)
    test(`is not told ${why}`, () => checkDiagnostics(text));
});

const claim = (options: string, more = ""): string => `
      apiVersion: v1
      kind: PersistentVolumeClaim
      metadata: { name: data, annotations: { argocd.argoproj.io/sync-options: "${options}" } }${more}
      spec: { storageClassName: "", ${options.includes("kept") ? "volumeName: by-hand, " : ""}accessModes: [ReadWriteOnce], resources: { requests: { storage: 1Gi } } }
      ---
      apiVersion: v1
      kind: PersistentVolume
      metadata: { name: by-hand }
      spec: { capacity: { storage: 1Gi }, accessModes: [ReadWriteOnce], storageClassName: "", nfs: { server: s.example.com, path: / } }
    `;

const at = (options: string, message: string): string =>
  `\n      #                                                                       ${"^".repeat(options.length + 2)} argocd-replace-claim: ${message}`;

suite("a claim that Argo CD replaces", () => {
  test("is told what the API server says to it, or that it is recreated", async () => {
    const refused = "Prune=false, Replace=true";
    await checkDiagnostics(claim(refused, at(refused, "Each sync after the first fails")));
    const forced = "Force=true,Replace=true";
    await checkDiagnostics(
      claim(forced, at(forced, "Each sync deletes the claim and recreates it")),
    );
  });

  test("is not told where it names its volume, or is applied", async () => {
    await checkDiagnostics(claim("Replace=true,kept"));
    await checkDiagnostics(claim("Prune=false"));
  });
});

const smb = (protocol: string, options: string, command: string, user = ""): string => `
      #- claimcheck.yaml
      profile: aks
      #- all.yaml
      apiVersion: storage.k8s.io/v1
      kind: StorageClass
      metadata: { name: shares }
      provisioner: file.csi.azure.com
      parameters: { protocol: ${protocol} }
      mountOptions: [${options}]
      ---
      apiVersion: v1
      kind: PersistentVolumeClaim
      metadata: { name: data }
      spec: { storageClassName: shares, accessModes: [ReadWriteMany], resources: { requests: { storage: 1Gi } } }
      ---
      apiVersion: v1
      kind: Pod
      metadata: { name: web }
      spec:
        containers:
          - name: c
            image: example.com/web
            ${user}
            command: ${command}
            volumeMounts: [{ name: data, mountPath: /data }]
        volumes: [{ name: data, persistentVolumeClaim: { claimName: data } }]
    `;

suite("chown on a share of SMB", () => {
  test("is told with the options that would do it", () =>
    checkDiagnostics(
      smb(
        "smb",
        "mfsymlinks",
        '[chown, -R, "1000:1000", /data]\n      #               ^^^^^ chown-without-effect: chown of /data changes nothing: on a share of SMB all files belong to whom the mount options uid and gid name. Give StorageClass “shares” the mount options uid=1000 and gid=1000',
      ),
    ));

  for (const [why, text] of [
    ["where the options say whose the files are", smb("smb", "uid=1000", '[chown, "1000", /data]')],
    ["of NFS", smb("nfs", "nconnect=4", '[chown, "1000", /data]')],
    ["of a group alone", smb("smb", "mfsymlinks", '[chown, ":1000", /data]')],
  ] as const)
    test(`is not told ${why}`, () => checkDiagnostics(text));

  test("fails for whoever is not root", () =>
    checkDiagnostics(
      smb(
        "smb",
        "mfsymlinks",
        '[chown, "1000", /data]\n      #               ^^^^^ chown-refused',
        "securityContext: { runAsUser: 1000 }",
      ),
    ));
});
