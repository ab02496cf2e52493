/**
 * Text without spaces that may break between its words in a narrow column: `FailedScheduling`, `shop/data-web-0`,
 * `ebs.csi.aws.com`.
 */
import { Fragment, type JSX } from "preact";

/** True if no word of the text is so long that a narrow column must break it. */
export function hasShortWords(text: string): boolean {
  return text
    .split(/\s/)
    .flatMap(wordsOf)
    .every(({ length }) => length <= shortWordLength);
}

/** `WaitForFirstConsumer` has none longer. */
const shortWordLength = 12;

export function Words({ text }: { readonly text: string }): JSX.Element {
  return (
    <>
      {wordsOf(text).map((word, i) => (
        <Fragment key={`${i} ${word}`}>
          {i === 0 ? null : <wbr />}
          {word}
        </Fragment>
      ))}
    </>
  );
}

function wordsOf(text: string): readonly string[] {
  return text.split(/(?<=[a-z])(?=[A-Z])|(?<=\/)|(?<=\.)(?=[a-z])/);
}
