/** What a build of a kustomization leaves beside its objects: what it is made of, and what is said of it. */
import { underline } from "../../yaml/locate.ts";
import type { Path } from "../../yaml/place.ts";
import type { WrittenText } from "../workspace-object.ts";
import { type EntryPlace, spanAt } from "./entry-place.ts";
import { type KustomizeProblem, unreadText } from "./loaded-patch.ts";
import { partsSeen, partsSeenMax } from "./written.ts";

export class BuildLog {
  /** URIs of all kustomizations and files that it is made of. */
  readonly files: Set<string> = new Set();
  /** URIs of those that hold patches, generators and transformers. */
  readonly patches: Set<string> = new Set();
  readonly problems: KustomizeProblem[] = [];
  /** Whether kustomizations may have changed any of the objects. */
  isChanged = false;
  /** Whether there may be objects that are not known here. */
  isPartial = false;
  readonly #seenBefore = partsSeen();
  #hasGivenUp = false;

  get isSpent(): boolean {
    return partsSeen() - this.#seenBefore > partsSeenMax;
  }

  /** Whether the build has cost so much that nothing more is done of it, which is told once, at an entry. */
  isSpentAt(place: EntryPlace, path: Path): boolean {
    if (!this.#hasGivenUp && this.isSpent) {
      this.#hasGivenUp = true;
      this.isPartial = true;
      const message = "Not judged as a whole: kustomizations change too much to be built here";
      this.warn(place, path, message);
    }
    return this.#hasGivenUp;
  }

  /** What an entry asks for and kustomize refuses, in its words, which users search for. */
  refuse(place: EntryPlace, path: Path, message: string): void {
    const problem = `kustomize refuses the ${message}`;
    this.problems.push({ ...spanAt(place, path), message: problem, severity: "error" });
  }

  /** The same of a part that is written elsewhere. */
  refuseAt({ file, yaml, inFile }: WrittenText, path: Path, what: string, message: string): void {
    const span = inFile(underline(yaml, path));
    const problem = `kustomize refuses the ${what}: ${message}`;
    this.problems.push({ uri: file.uri, ...span, message: problem, severity: "error" });
  }

  /** A path that leads to nothing: it is wrong, or leads to what is not read here. */
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
