/** Collects what a build reads and reports, besides its objects. */
import { underline } from "../../yaml/locate.ts";
import type { Path } from "../../yaml/place.ts";
import type { WrittenText } from "../workspace-object.ts";
import { type EntryPlace, spanAt } from "./entry-place.ts";
import { type KustomizeProblem, unreadText } from "./loaded-patch.ts";
import { partsSeen, partsSeenMax } from "./written.ts";

export class BuildLog {
  /** URIs of all kustomizations and files that were read. */
  readonly files: Set<string> = new Set();
  /** URIs of the files that contain patches, generators and transformers. */
  readonly patches: Set<string> = new Set();
  readonly problems: KustomizeProblem[] = [];
  /** True if any object may have been changed. */
  isChanged = false;
  /** True if there may be objects that are not known here. */
  isPartial = false;
  readonly #seenBefore = partsSeen();
  #hasGivenUp = false;

  get isSpent(): boolean {
    return partsSeen() - this.#seenBefore > partsSeenMax;
  }

  /** True once the build has cost too much and is aborted; reports that once, at the entry. */
  isSpentAt(place: EntryPlace, path: Path): boolean {
    if (!this.#hasGivenUp && this.isSpent) {
      this.#hasGivenUp = true;
      this.isPartial = true;
      const message = "Not judged as a whole: kustomizations change too much to be built here";
      this.warn(place, path, message);
    }
    return this.#hasGivenUp;
  }

  /** Reports that kustomize refuses an entry, in its own words, which users search for. */
  refuse(place: EntryPlace, path: Path, message: string): void {
    const problem = `kustomize refuses the ${message}`;
    this.problems.push({ ...spanAt(place, path), message: problem, severity: "error" });
  }

  /** The same for a part that is written elsewhere. */
  refuseAt({ file, yaml, inFile }: WrittenText, path: Path, what: string, message: string): void {
    const span = inFile(underline(yaml, path));
    const problem = `kustomize refuses the ${what}: ${message}`;
    this.problems.push({ uri: file.uri, ...span, message: problem, severity: "error" });
  }

  /** Reports a path that leads nowhere: it is wrong, or leads to something that is not read here. */
  tellUnread(place: EntryPlace, path: Path, what: string): void {
    const message = `${what} ${unreadText}`;
    this.problems.push({ ...spanAt(place, path), message, severity: "warning", isUnread: true });
  }

  warn(place: EntryPlace, path: Path, message: string): void {
    this.problems.push({ ...spanAt(place, path), message, severity: "warning" });
  }

  inform(place: EntryPlace, path: Path, message: string): void {
    this.problems.push({ ...spanAt(place, path), message, severity: "information" });
  }
}
