/** Volumes that the kubelet knows and does little with. Upstream: pkg/volume/git_repo, pkg/volume/image v1.36. */
import { tearDownDirectory } from "./empty-dir.ts";
import { final, immediately, type VolumePlugin } from "./plugin.ts";

const gitRepoName = "kubernetes.io/git-repo";
const gitRepoDisabled =
  "git-repo volume plugin has been disabled; if necessary, it may be re-enabled by enabling the feature-gate `GitRepoVolumeDriver`";

const plain = {
  supportsMountOptions: false,
  requiresRemount: () => false,
  isAttachable: () => false,
  isDeviceMountable: () => false,
};

export const gitRepoPlugin: VolumePlugin = {
  ...plain,
  name: gitRepoName,
  supports: (spec) => spec.volume?.gitRepo !== undefined,
  volumeName: (spec) => spec.name,
  setUp: () => immediately(final(gitRepoDisabled)),
  tearDown: (host, request) => immediately(tearDownDirectory(host, gitRepoName, request)),
};

/** The runtime mounts the image itself. */
export const imagePlugin: VolumePlugin = {
  ...plain,
  name: "kubernetes.io/image",
  supports: (spec) => spec.volume?.image !== undefined,
  volumeName: (spec) => spec.name,
  setUp: () => immediately(),
  tearDown: () => immediately(),
};
