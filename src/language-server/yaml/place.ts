/** Where something stands: in an object, by its path, and in the text. */

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
  /** The key that the last existing segment is; absent for list items and for the document itself. */
  readonly key?: Span;
  readonly value: Span;
}
