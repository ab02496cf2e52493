/**
 * Text without spaces that may break between its words in a narrow column: `FailedScheduling`, `shop/data-web-0`,
 * `ebs.csi.aws.com`.
 */
import { Fragment, type JSX } from "preact";

export function Words({ text }: { readonly text: string }): JSX.Element {
  return (
    <>
      {text.split(/(?<=[a-z])(?=[A-Z])|(?<=\/)|(?<=\.)(?=[a-z])/).map((word, i) => (
        <Fragment key={`${i} ${word}`}>
          {i === 0 ? null : <wbr />}
          {word}
        </Fragment>
      ))}
    </>
  );
}
