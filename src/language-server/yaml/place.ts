/** Where something is: in an object, by its path, and in the text. */

export type PathSegment = string | number;
export type Path = readonly PathSegment[];

/** Offsets in the document. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

export interface Place {
  /** How many segments of the path exist. */
  readonly depth: number;
  /** The key that is the last existing segment; absent for list items and the document itself. */
  readonly key?: Span;
  readonly value: Span;
}
