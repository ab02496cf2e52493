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

suite("SMB mount options of volumes mounted by NFS", () => {
  test("are reported, each at its item", () =>
    checkDiagnostics(
      `
      #- claimcheck.yaml
      profile: aks
      #- class.yaml${shares(azure("nfs"), 'nconnect=4, dir_mode=0777, "uid=1,actimeo=30"')}
      #                          ^^^^^^^^^^^^^ nfs-smb-options: dir_mode=0777 is an option of SMB, but the volume is mounted with NFS
      #                                         ^^^^^^^^^^^^^^^^^^ nfs-smb-options: uid=1 is an option of SMB
      #                                         ^^^^^^^^^^^^^^^^^^ mount-options-blank
    `.replace(/\n {4}\n/, "\n"),
    ));

  test("are reported at a volume", () =>
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
    ["for SMB shares", azure("smb"), "dir_mode=0777"],
    ["if mount is told to ignore them", azure("nfs"), "dir_mode=0777, sloppy"],
    ["if NFS knows them", azure("nfs"), "nconnect=4, noresvport, actimeo=30, vers=4.1"],
  ] as const)
    test(`are not reported ${why}`, () =>
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

suite("an image that writes to a read-only root", () => {
  test("is reported with the directories that are not mounted", () =>
    checkDiagnostics(
      nginx("docker.io/library/nginx:1.29").replace(
        "\n        volumes",
        mark("The image nginx writes to “/var/cache/nginx” and “/run” as it starts"),
      ),
    ));

  test("is reported with the directory that is not mounted", () =>
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
    test(`is reported for ${image}`, () => {
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
      "if a database has a configuration of its own",
      nginx("mysql:8.4", "", ", { name: d, mountPath: /etc/mysql/conf.d }"),
    ],
    [
      "if both directories are mounted",
      nginx("nginx", "", ", { name: d, mountPath: /var/run }, { name: d, mountPath: /var/cache }"),
    ],
    [
      "if it has another configuration",
      nginx("nginx", "", ", { name: d, mountPath: /etc/nginx/conf.d }"),
    ],
    ["if it has other arguments", nginx("nginx", 'args: [nginx, -g, "pid /tmp/pid;"]')],
    ["for another image of the same name", nginx("example.com/team/nginx")],
    [
      "if its root is writable",
      nginx("nginx").replace("readOnlyRootFilesystem: true", "runAsNonRoot: false"),
    ],
  ] as const)
    test(`is not reported ${why}`, () => checkDiagnostics(text));
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
  test("is reported with the API server's refusal, or as recreated", async () => {
    const refused = "Prune=false, Replace=true";
    await checkDiagnostics(claim(refused, at(refused, "Each sync after the first fails")));
    const forced = "Force=true,Replace=true";
    await checkDiagnostics(
      claim(forced, at(forced, "Each sync deletes the claim and recreates it")),
    );
  });

  test("is not reported if it names its volume, or is applied", async () => {
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

suite("chown on an SMB share", () => {
  test("is reported with the mount options that set the owner", () =>
    checkDiagnostics(
      smb(
        "smb",
        "mfsymlinks",
        '[chown, -R, "1000:1000", /data]\n      #               ^^^^^ chown-without-effect: chown of /data changes nothing: on an SMB share all files belong to the uid and gid in the mount options. Give StorageClass “shares” the mount options uid=1000 and gid=1000',
      ),
    ));

  for (const [why, text] of [
    ["if the options set the owner", smb("smb", "uid=1000", '[chown, "1000", /data]')],
    ["on NFS", smb("nfs", "nconnect=4", '[chown, "1000", /data]')],
    ["if it sets only a group", smb("smb", "mfsymlinks", '[chown, ":1000", /data]')],
  ] as const)
    test(`is not reported ${why}`, () => checkDiagnostics(text));

  test("fails if it does not run as root", () =>
    checkDiagnostics(
      smb(
        "smb",
        "mfsymlinks",
        '[chown, "1000", /data]\n      #               ^^^^^ chown-refused',
        "securityContext: { runAsUser: 1000 }",
      ),
    ));
});
