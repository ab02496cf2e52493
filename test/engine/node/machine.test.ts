/** A machine's files, mounts and containers, and how they are shown. */
import assert from "node:assert/strict";
import { HostFiles } from "../../../src/engine/node/host-files.ts";
import { Machine } from "../../../src/engine/node/machine.ts";
import { containerList, findmnt, lsblk } from "../../../src/engine/node/views.ts";
import { dedent } from "../../support/markers.ts";

function text(expected: string): string {
  return dedent(expected).trim();
}

suite("host files", () => {
  test("directories are created with their parents, files are not", () => {
    const files = new HostFiles();
    assert.equal(files.makeFile("/srv/a/b"), false);
    assert.equal(files.makeDirectories("/srv/a/"), true);
    assert.equal(files.makeFile("/srv/a/b"), true);
    assert.equal(files.get("/srv//a/b")?.type, "file");
  });

  test("a directory cannot be created below a file", () => {
    assert.equal(new HostFiles().makeDirectories("/etc/passwd/x"), false);
  });

  test("machines with the same initial files do not share changes", () => {
    const paths = { "/srv/a/b": "directory", "/srv/a/c": "file" } as const;
    const [one, other] = [new HostFiles(paths), new HostFiles(paths)];
    one.makeDirectories("/srv/a/b/new");
    one.setGroup("/srv/a/c", 5);
    one.remove("/srv/a/b");
    one.makeFile("/etc/own");
    assert.deepEqual(one.below("/srv"), ["/srv/a", "/srv/a/c"]);
    assert.equal(one.get("/srv/a/c")?.group, 5);
    for (const files of [other, new HostFiles(paths)]) {
      assert.deepEqual(files.below("/srv"), ["/srv/a", "/srv/a/b", "/srv/a/c"]);
      assert.equal(files.get("/srv/a/c")?.group, 0);
      assert.equal(files.exists("/etc/own"), false);
    }
  });

  test("the existing part and the first missing part of a path are known", () => {
    const files = new HostFiles({ "/srv/a": "file" });
    assert.equal(files.nearest("/srv/b/c"), "/srv");
    assert.equal(files.firstMissing("/srv/b/c"), "/srv/b");
    assert.equal(files.nearest("/nowhere/at/all"), "/");
    assert.equal(files.firstMissing("/nowhere/at/all"), "/nowhere");
    assert.equal(files.firstMissing("/srv/a"), undefined);
  });

  test("a directory keeps its mode and group when something is created in it", () => {
    const files = new HostFiles();
    files.makeDirectories("/srv/a", 0o750);
    files.setGroup("/srv/a", 2000);
    files.makeDirectories("/srv/a/b");
    assert.deepEqual([files.get("/srv/a")?.mode, files.get("/srv/a")?.group], [0o750, 2000]);
    assert.equal(files.get("/srv/a/b")?.mode, 0o755);
  });

  test("removing a directory removes its contents", () => {
    const files = new HostFiles({ "/srv/a/b/c": "file" });
    assert.deepEqual(files.below("/srv"), ["/srv/a", "/srv/a/b", "/srv/a/b/c"]);
    files.remove("/srv/a");
    assert.deepEqual(files.below("/srv"), []);
    assert.equal(files.exists("/srv"), true);
  });

  test("a directory created just before is gone after its parent's removal", () => {
    const files = new HostFiles();
    files.makeDirectories("/srv/a/b");
    files.remove("/srv/a");
    assert.equal(files.makeFile("/srv/a/b/c"), false);
    assert.equal(files.exists("/srv/a/b"), false);
  });

  test("a directory is distinguished from a file whose name begins with its name", () => {
    const files = new HostFiles();
    files.makeDirectories("/srv/a");
    assert.equal(files.makeFile("/srv/ab"), true);
    assert.deepEqual(files.below("/srv"), ["/srv/a", "/srv/ab"]);
  });
});

suite("addresses of pods", () => {
  const made = new Machine({ name: "node-b" }, 1);
  const addresses = Array.from({ length: 254 }, (_, n) => {
    const name = `p${n}`;
    return made.containers.makeSandbox({ uid: name, namespace: "default", name }).ip;
  });

  test("come from their node's range, beginning with the second address", () => {
    assert.deepEqual(addresses.slice(0, 2), ["10.244.1.2", "10.244.1.3"]);
    const far = new Machine({ name: "node-c" }, 300).containers;
    const { ip } = far.makeSandbox({ uid: "p", namespace: "default", name: "p" });
    assert.equal(ip, "10.245.44.2");
  });

  test("are reused at the end of the range", () => {
    assert.deepEqual(addresses.slice(252), ["10.244.1.254", "10.244.1.2"]);
  });
});

suite("views of a machine", () => {
  function machine(): Machine {
    const made = new Machine({ name: "node-a" }, 0);
    const staging = "/var/lib/kubelet/plugins/kubernetes.io/csi/d/1/globalmount";
    const mounts = [
      { source: "/dev/csi/vol", target: staging, fsType: "ext4", options: ["noatime"] },
      { source: staging, target: "/var/lib/kubelet/pods/u/mount", fsType: "ext4", options: ["ro"] },
      { source: "/mnt/x", target: "/var/lib/kubelet/pods/u/local", fsType: "", options: ["bind"] },
      { source: "/dev/csi/raw", target: "/publish/u", fsType: "", options: [], device: true },
      { source: "nfs:/export", target: "/var/lib/kubelet/pods/u/nfs", fsType: "nfs", options: [] },
    ];
    for (const mount of mounts) made.mounts.mount(mount);
    return made;
  }

  test("findmnt shows the device behind a bind mount", () => {
    assert.equal(
      findmnt(machine().mounts.entries),
      text(`
        TARGET                                                      SOURCE             FSTYPE  OPTIONS
        /                                                           /dev/vda1          ext4    rw,relatime
        /var/lib/kubelet/plugins/kubernetes.io/csi/d/1/globalmount  /dev/csi/vol       ext4    rw,relatime,noatime
        /var/lib/kubelet/pods/u/local                               /dev/vda1[/mnt/x]  ext4    rw,relatime
        /var/lib/kubelet/pods/u/mount                               /dev/csi/vol       ext4    ro,relatime
        /var/lib/kubelet/pods/u/nfs                                 nfs:/export        nfs     rw,relatime
      `),
    );
  });

  test("lsblk shows each disk with all paths where it is used", () => {
    assert.equal(
      lsblk(machine().mounts.entries),
      text(`
        NAME     TYPE  MOUNTPOINTS
        vda1     disk  /
        csi/vol  disk  /var/lib/kubelet/plugins/kubernetes.io/csi/d/1/globalmount
                       /var/lib/kubelet/pods/u/mount
        csi/raw  disk  /publish/u
      `),
    );
  });

  test("the list of containers shows the state of each", () => {
    const made = machine();
    const sandbox = made.containers.makeSandbox({ uid: "u", namespace: "default", name: "web" });
    made.containers.start(
      sandbox,
      { name: "init", image: "app", isInit: true, exit: { code: 0, afterMs: 5 } },
      0,
    );
    made.containers.start(
      sandbox,
      { name: "app", image: "app", isInit: false, exit: undefined },
      5,
    );
    assert.equal(
      containerList(made, 10),
      text(`
        CONTAINER  STATE       ATTEMPT  POD
        init       Exited (0)  0        default/web
        app        Running     0        default/web
      `),
    );
  });

  test("a file's data are kept, and gone when its directory is removed", () => {
    const made = machine();
    made.writeData("/var/lib/kubelet/pods/u/vol_data.json", { driverName: "d" });
    assert.deepEqual(made.files.below("/var/lib/kubelet/pods"), [
      "/var/lib/kubelet/pods/u",
      "/var/lib/kubelet/pods/u/vol_data.json",
    ]);
    made.removeAll("/var/lib/kubelet/pods/u");
    assert.equal(made.readData("/var/lib/kubelet/pods/u/vol_data.json"), undefined);
  });
});
