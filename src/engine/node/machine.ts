/** A node's machine: what is on it whether or not its kubelet runs. */
import type { NodeProfile } from "../scenario.ts";

export class Machine {
  readonly profile: NodeProfile;
  /** False while the kubelet process is frozen or down; its containers go on. */
  kubeletUp = true;

  constructor(profile: NodeProfile) {
    this.profile = profile;
  }

  get name(): string {
    return this.profile.name;
  }
}
