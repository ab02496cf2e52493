/** Rarer messages of kubelets about volumes, as users paste them. */
import assert from "node:assert/strict";
import { explainEvents } from "../../../src/language-server/events/explained-event.ts";
import { check } from "./recognized.ts";

suite("recognizing messages of kubelets", () => {
  test("works with and without the backquotes around a path, which copying may lose", () =>
    check({
      "Error: error SubPath `/etc/app` must not be an absolute path": "sub-path-failed",
      "Error: error SubPath /etc/app must not be an absolute path": "sub-path-failed",
      "Error: unable to provision SubPath `a/../b`: must not contain '..'": "sub-path-failed",
      "Error: error DevicePath `xvda` must be an absolute path": "device-path-relative",
      "Error: error DevicePath xvda must be an absolute path": "device-path-relative",
      "error getting handle for DataSource Type Role by Name r: datasource Role of group rbac.authorization.k8s.io is not handled by the provisioner":
        "data-source-failed > openebs-local-refuses",
    }));

  test("explains a device path in backquotes in a copied line", () => {
    const { events } = explainEvents(
      "Warning  Failed  3s  kubelet  Error: error DevicePath `xvda` must be an absolute path",
      undefined,
    );
    assert.deepEqual(
      events.map(({ changes }) => changes),
      [["begin devicePath with /, as in /dev/xvda"]],
    );
  });

  test("treats a conflicting fsGroup of another pod on a local volume as a problem", () => {
    const message =
      "The requested fsGroup is 2000, but the volume pv-a has GID 1000. The volume may not be shareable.";
    assert.equal(explainEvents(message, undefined).events[0]?.outlook, "stuck");
  });

  test("knows the steps of mapping a raw device and of expanding a volume", () =>
    check({
      'MapVolume failed for volume "pv" : device path of the volume is empty': "publish-failed",
      'NodeExpandvolume.expansion failed for volume "pv" : current or new size of the volume is not set':
        "node-expand-failed",
      'NodeExpandVolume.MarkVolumeAsResized failed for volume "pv" : rpc error: code = Internal desc = x':
        "node-expand-failed > csi-internal",
      'MountVolume.MountDevice failed for volume "pv" : no fc disk found':
        "stage-failed > fibre-channel-disk-missing",
    }));

  test("tells source by source what a projected volume waits for", () =>
    check({
      'MountVolume.SetUp failed for volume "identity" : [credential bundle is not issued yet, combination of signerName and labelSelector matched zero ClusterTrustBundles]':
        "publish-failed > several-errors > pod-certificate-waits, trust-bundle-missing",
      'MountVolume.SetUp failed for volume "roots" : while getting ClusterTrustBundle: clustertrustbundle.certificates.k8s.io "a" not found':
        "publish-failed > trust-bundle-missing",
      'MountVolume.SetUp failed for volume "roots" : ClusterTrustBundle projection is not supported in static kubelet mode':
        "publish-failed > trust-bundles-off",
      'MountVolume.SetUp failed for volume "identity" : PodCertificateRequest was permanently denied: reason="NoSuchRole" message="no role of that name"':
        "publish-failed > pod-certificate-refused",
    }));

  test("knows a refused certificate in the event that the kubelet formats wrongly", () =>
    check(
      {
        'NoSuchRole%!(EXTRA string=PodCertificateRequest shop/req-1 was denied, reason="NoSuchRole", message="no role of that name")':
          "pod-certificate-refused",
      },
      "Denied",
    ));

  test("knows conflicting SELinux labels in the messages of all who report them", () => {
    const rest = "If both pods land on the same node, only one of them may access the volume.";
    check({
      [`SELinuxLabel "system_u:object_r:container_file_t:s0:c1,c2" conflicts with pod b that uses the same volume as this pod with SELinuxLabel "system_u:object_r:container_file_t:s0:c3,c4". ${rest}`]:
        "se-linux-conflict",
      [`SELinuxChangePolicy"Recursive" conflicts with another pod that uses the same volume as this pod with a different SELinuxChangePolicy. ${rest}`]:
        "se-linux-conflict",
      'Unable to attach or mount volumes: unmounted volumes=[data], unattached volumes=[], failed to process volumes=[data]: conflicting SELinux labels of volume data: "s0:c1,c2" and "s0:c3,c4"':
        "volumes-not-ready > se-linux-labels-differ",
    });
  });

  test("does not mistake a read-only mount that the runtime does not support for a failure to start", () =>
    check({
      'Error: failed to resolve recursive read-only mode: volume "mnt" requested recursive read-only mode, but it is not supported by the runtime':
        "mount-not-read-only-throughout",
    }));
});
