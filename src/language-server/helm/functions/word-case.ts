/** Converts names to snake case, kebab case and Pascal case. Upstream: huandu/xstrings v1.5 convert.go. */
import { isUpper, lowerLetter, upperLetter } from "./casing.ts";
import { isSpace } from "./spaces.ts";

type WordType =
  | "none"
  | "number"
  | "upperCase"
  | "alphabet"
  | "connector"
  | "punctuation"
  | "other";

interface Word {
  readonly type: WordType;
  readonly letters: readonly string[];
}

export function connected(text: string, connector: string): string {
  const words = new Words(text);
  let result = "";
  /** Takes lower-case letters and digits that follow a number. */
  const takeNumbered = (): void => {
    for (; isOfWord(word); word = words.next()) result += lowered(word, connector);
    if (needsConnector(word)) result += connector;
  };
  const takeNumber = (): void => {
    const number = word;
    word = words.next();
    // Lower-case letters after a number form a word with it: http2xx becomes http_2xx. Otherwise the number ends the previous
    // word.
    if (word.type === "alphabet") {
      result += connector + lowered(number, connector);
      takeNumbered();
    } else {
      result += lowered(number, connector);
      if (!isApart(word)) result += connector;
    }
  };
  let word = words.next();
  while (words.remain) {
    if (word.type !== "connector") result += lowered(word, connector);
    const previous = word;
    word = words.next();
    if (previous.type === "number") takeNumbered();
    else if (previous.type === "connector") result += lowered(previous, connector);
    else if (previous.type === "punctuation") continue;
    else if (word.type !== "number") result += isApart(word) ? "" : connector;
    else if (words.remain) takeNumber();
  }
  return result + lowered(word, connector);
}

function isApart({ type }: Word): boolean {
  return type === "connector" || type === "punctuation";
}

function isOfWord({ type }: Word): boolean {
  return type === "alphabet" || type === "number";
}

function needsConnector(word: Word): boolean {
  return word.type !== "none" && !isApart(word);
}

function lowered({ type, letters }: Word, connector: string): string {
  if (type !== "upperCase" && type !== "connector") return letters.join("");
  return letters
    .map((letter) =>
      isConnector(letter) ? connector : isUpper(letter) ? lowerLetter(letter) : letter,
    )
    .join("");
}

class Words {
  readonly #letters: readonly string[];
  #at = 0;

  constructor(text: string) {
    this.#letters = [...text];
  }

  get remain(): boolean {
    return this.#at < this.#letters.length;
  }

  next(): Word {
    const first = this.#letters[this.#at];
    if (first === undefined) return { type: "none", letters: [] };
    const start = this.#at++;
    const type = typeOf(first);
    if (type === "upperCase") this.#readCapitals();
    else this.#skip((letter) => goesOn(type, letter));
    return { type, letters: this.#letters.slice(start, this.#at) };
  }

  /** The last capital of HTTPStatus belongs to the next word. */
  #readCapitals(): void {
    const second = this.#letters[this.#at];
    if (second === undefined) return;
    if (!isUpper(second)) {
      this.#skip((letter) => isAlphabet(letter) && !isUpper(letter));
      return;
    }
    this.#skip(isUpper);
    const behind = this.#letters[this.#at];
    if (behind !== undefined && isAlphabet(behind)) this.#at--;
  }

  #skip(isMore: (letter: string) => boolean): void {
    while (this.#at < this.#letters.length && isMore(this.#letters[this.#at] ?? "")) this.#at++;
  }
}

function typeOf(letter: string): WordType {
  if (letter >= "a" && letter <= "z") return "alphabet";
  if (letter >= "A" && letter <= "Z") return "upperCase";
  if (isConnector(letter)) return "connector";
  if (isPunctuation(letter)) return "punctuation";
  if (isUpper(letter)) return "upperCase";
  if (isAlphabet(letter)) return "alphabet";
  return isNumber(letter) ? "number" : "other";
}

function goesOn(type: WordType, letter: string): boolean {
  if (type === "alphabet") return isAlphabet(letter) && !isUpper(letter);
  // Hyphens and underscores that follow other punctuation belong to it.
  if (type === "punctuation") return isPunctuation(letter);
  return typeOf(letter) === type;
}

function isConnector(letter: string): boolean {
  return letter === "-" || letter === "_" || isSpace(letter);
}

function isPunctuation(letter: string): boolean {
  return /^\p{P}$/u.test(letter);
}

function isNumber(letter: string): boolean {
  return /^\p{N}$/u.test(letter);
}

/** True for letters, except those of Chinese, Japanese and Korean scripts. */
function isAlphabet(letter: string): boolean {
  return (
    /^\p{L}$/u.test(letter) &&
    !/^[\p{Script=Han}\p{Script=Hangul}\p{Script=Hiragana}\p{Script=Katakana}]$/u.test(letter)
  );
}

/** Removes connectors, except at the beginning; of several in a row one is removed. */
export function pascalCase(text: string): string {
  const letters = [...text];
  const start = letters.findIndex((letter) => !isConnector(letter));
  // Upstream writes the last character twice if there are only connectors.
  if (start < 0) return text + (letters.at(-1) ?? "");
  const first = letters[start] ?? "";
  let result = letters.slice(0, start).join("");
  let isAfterCapital = isUpper(first);
  let previous = upperLetter(first);
  for (const letter of letters.slice(start + 1)) {
    if (isConnector(letter) && isConnector(previous)) {
      result += previous;
      previous = letter;
      continue;
    }
    let current = letter;
    if (isConnector(previous)) {
      isAfterCapital = isUpper(letter);
      current = upperLetter(letter);
    } else {
      if (isAfterCapital && isUpper(letter)) current = lowerLetter(letter);
      else isAfterCapital = false;
      result += previous;
    }
    previous = current;
  }
  return result + previous;
}
