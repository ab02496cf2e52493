import { checkDiagnostics } from "../../support/language-features.ts";

const pod = (command: string, mark = ""): string => `
      apiVersion: v1
      kind: Pod
      metadata: { name: web }
      spec:
        containers:
          - name: c
            image: example.com/web
            command: [sh, -c, ${command}]${mark}
            volumeMounts:
              - { name: config, mountPath: /etc/app }
              - { name: own, mountPath: /etc/app/own }
              - { name: own, mountPath: /own }
        volumes:
          - { name: config, configMap: { name: app, optional: true } }
          - { name: own, emptyDir: {} }
    `;

const told = (command: string, message: string): string =>
  pod(
    command,
    `\n      #                       ${"^".repeat(command.length)} config-volume-written: ${message}`,
  );

suite("a program that writes to a ConfigMap volume", () => {
  for (const [command, message] of [
    [
      `"sed -i s/a/b/ /etc/app/app.conf"`,
      "sed cannot write to /etc/app/app.conf: volume “config” is mounted read-only",
    ],
    [`"cp /own/app.conf /etc/app/"`, "cp cannot write to /etc/app/"],
    [`"mv /etc/app/app.conf /own/app.conf"`, "mv cannot write to /etc/app/app.conf"],
    [`"echo a >> /etc/app/app.conf"`, "echo cannot write to /etc/app/app.conf"],
    [`"envsubst </own/in >/etc/app/app.conf"`, "envsubst cannot write to /etc/app/app.conf"],
    [`"mkdir -p /etc/app/more"`, "mkdir cannot write to /etc/app/more"],
    [`"chown -R 1 /etc/app"`, "chown cannot write to /etc/app"],
    [
      `"exec redis-server /etc/app/a.conf --sentinel"`,
      "redis-server cannot write to /etc/app/a.conf",
    ],
  ] as const)
    test(`is reported: ${command}`, () => checkDiagnostics(told(command, message)));

  for (const command of [
    `"cp /etc/app/app.conf /own/app.conf"`,
    `"sed s/a/b/ /etc/app/app.conf > /own/app.conf"`,
    `"touch /etc/app/own/file /own/file"`,
    `"touch /etc/app/file || true"`,
    `"touch /etc/app/$NAME"`,
    `"echo 'a > /etc/app/app.conf b'"`,
    `"app 2>&1"`,
    `"redis-server /etc/app/a.conf"`,
    `"mkdir -p /etc/app && app"`,
  ])
    test(`is not found in: ${command}`, () => checkDiagnostics(pod(command)));
});
