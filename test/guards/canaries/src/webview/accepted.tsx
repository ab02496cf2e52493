// accepted
import type * as preact from "preact";

export function Accepted(): preact.JSX.Element {
  return <p>accepted</p>;
}
