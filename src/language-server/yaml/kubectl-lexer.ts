/**
 * A lexer that accepts what kubectl's reader does beyond YAML's specification: continuation lines of quoted text and brackets
 * may have any indentation, and in brackets a dash before a comma or bracket is a text. Upstream: go.yaml.in/yaml v2.4
 * scannerc.go, yaml_parser_scan_flow_scalar, yaml_parser_unroll_indent, yaml_parser_scan_plain_scalar,
 * yaml_parser_fetch_next_token.
 */
import { Lexer } from "yaml";

type Lexemes<End> = Generator<string, End, unknown>;

/** The parts of the package's lexer that compare indentation with `indentNext`, or recognize indicators. */
interface PackageParts {
  indentNext: number;
  lex(source: string): Iterable<string>;
  charAt(offset: number): string | undefined;
  parseFlowCollection(): Lexemes<unknown>;
  parseQuotedScalar(): Lexemes<unknown>;
  pushIndicators(): Lexemes<number>;
}

const PackageLexer = Lexer as unknown as new () => PackageParts;

export class KubectlLexer extends PackageLexer {
  #seeksIndicators = false;

  override parseFlowCollection(): Lexemes<unknown> {
    return this.#withoutIndentation(super.parseFlowCollection());
  }

  override parseQuotedScalar(): Lexemes<unknown> {
    return this.#withoutIndentation(super.parseQuotedScalar());
  }

  override *pushIndicators(): Lexemes<number> {
    this.#seeksIndicators = true;
    const length = yield* super.pushIndicators();
    this.#seeksIndicators = false;
    return length;
  }

  /** Hides a dash that is a text, so that it is not read as an indicator. */
  override charAt(offset: number): string | undefined {
    const found = super.charAt(offset);
    const isDash = this.#seeksIndicators && offset === 0 && found === "-";
    return isDash && /[,[\]{}]/.test(super.charAt(1) ?? "") ? undefined : found;
  }

  *#withoutIndentation(lexemes: Lexemes<unknown>): Lexemes<unknown> {
    const { indentNext } = this;
    this.indentNext = 0;
    const next = yield* lexemes;
    this.indentNext = indentNext;
    return next;
  }
}
