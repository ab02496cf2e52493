/** Volumes that need little from the kubelet: gitRepo and image. Upstream: pkg/volume/git_repo, pkg/volume/image v1.36. */
import { disablesGitRepo } from "../../version-differences.ts";
import { tearDownDirectory } from "./empty-dir.ts";
import { podVolumeDirectory } from "./paths.ts";
import {
  final,
  immediately,
  type MountRequest,
  type VolumeHost,
  type VolumePlugin,
  type VolumeResult,
} from "./plugin.ts";

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
  setUp: (host, request) => immediately(setUpGitRepo(host, request)),
  tearDown: (host, request) => immediately(tearDownDirectory(host, gitRepoName, request)),
};

/** Assumes that git clones at once. */
function setUpGitRepo({ context, machine }: VolumeHost, { spec, pod }: MountRequest): VolumeResult {
  if (disablesGitRepo(context.version)) return final(gitRepoDisabled);
  machine.files.makeDirectories(
    podVolumeDirectory(pod.metadata.uid, gitRepoName, spec.name),
    0o777,
  );
  return undefined;
}

/** The runtime mounts the image itself. */
export const imagePlugin: VolumePlugin = {
  ...plain,
  name: "kubernetes.io/image",
  supports: (spec) => spec.volume?.image !== undefined,
  volumeName: (spec) => spec.name,
  setUp: () => immediately(),
  tearDown: () => immediately(),
};
