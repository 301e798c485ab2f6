import { literal, propertySet, setOf, WORD } from './pattern-classes.js';
import { PatternError } from './pattern-error.js';
import { braced, escapedCharacter, type PatternSource } from './pattern-escapes.js';
import { searchable } from './searchable.js';

interface Flags {
  /** `(?s)`: a dot matches any character. */
  readonly s: boolean;
  /** `(?m)`: ^ and $ also match at line ends. */
  readonly m: boolean;
  /** `(?x)`: blanks and comments are ignored. */
  readonly x: boolean;
  /** `(?d)`: only line feeds end lines. */
  readonly d: boolean;
}

const MAX_DEPTH = 200;
const START = '(?<![\\s\\S])';
const END = '(?![\\s\\S])';

/** Matches word boundaries. */
const BOUNDARY = `(?:(?<=${WORD})(?!${WORD})|(?<!${WORD})(?=${WORD}))`;
const NO_BOUNDARY = `(?:(?<=${WORD})(?=${WORD})|(?<!${WORD})(?!${WORD}))`;

/**
 * Translates a regular expression of java.util.regex.Pattern to JavaScript with the flags `giv`: possessive quantifiers
 * and atomic groups, inline flags, quoting, nested classes and intersections, POSIX and Java names, escapes. Words,
 * digits and boundaries include all scripts. Matching always ignores case, so `(?i)`, `(?-i)` and `(?u)` have no
 * effect. Throws PatternError. Errors that only V8 detects are thrown by `new RegExp` as a SyntaxError.
 */
export function translatePattern(pattern: string): string {
  return new Translation(pattern).all();
}

class Translation implements PatternSource {
  readonly text: readonly string[];
  at = 0;
  #flags: Flags = { s: false, m: false, x: false, d: false };
  #depth = 0;
  #behind = 0;
  #groups = 0;
  #atoms = 0;
  readonly #names = new Map<string, number>();
  readonly #total: number;

  constructor(pattern: string) {
    this.text = [...unquoted(pattern.normalize('NFC'))];
    this.#total = countGroups(this.text);
  }

  all(): string {
    const whole = this.#alternatives();
    if (this.at < this.text.length)
      throw new PatternError(`the closing parenthesis at character ${this.at + 1} has no opening one`);
    return whole;
  }

  #alternatives(): string {
    if (++this.#depth > MAX_DEPTH) throw new PatternError(`groups are nested deeper than ${MAX_DEPTH} levels`);
    const before = this.#flags;
    let out = '';
    while (this.at < this.text.length && this.text[this.at] !== ')') {
      if (this.text[this.at] === '|') {
        out += '|';
        this.at++;
      } else out += this.#piece();
    }
    // Flags that are set within a group apply until its end.
    this.#flags = before;
    this.#depth--;
    return out;
  }

  /** Reads one atom with its quantifier. */
  #piece(): string {
    if (this.#flags.x && this.#skipComment()) return '';
    const atom = this.#atom();
    const quantifier = atom === '' ? undefined : this.#quantifier();
    if (quantifier === undefined) return atom;
    const { count, mode } = quantifier;
    const repeated = `(?:${atom})${count}${mode === '?' ? '?' : ''}`;
    return mode === '+' ? this.#atomic(repeated) : repeated;
  }

  #skipComment(): boolean {
    const here = this.text[this.at]!;
    if (here === '#') while (this.at < this.text.length && this.text[this.at] !== '\n') this.at++;
    else if (/\s/.test(here)) this.at++;
    else return false;
    return true;
  }

  #quantifier(): { readonly count: string; readonly mode: string } | undefined {
    while (this.#flags.x && this.at < this.text.length && this.#skipComment());
    const here = this.text[this.at];
    let count: string | undefined;
    if (here === '*' || here === '+' || here === '?') {
      count = here;
      this.at++;
    } else if (here === '{') {
      count = `{${braced(this)}}`;
      const [, least, most] = /^\{(\d{1,9})(?:,(\d{0,9}))?\}$/.exec(count) ?? [];
      if (least === undefined || (most !== undefined && most !== '' && Number(most) < Number(least)))
        throw new PatternError(
          `"${count.slice(0, 20)}" is not a valid repetition count; write \\{ for a literal brace`,
        );
    }
    if (count === undefined) return undefined;
    const mode = this.text[this.at] === '?' || this.text[this.at] === '+' ? this.text[this.at++]! : '';
    return { count, mode };
  }

  /**
   * Matches without backtracking, because a lookahead is never entered again. In a lookbehind, where matching runs
   * backwards, it is a plain group.
   */
  #atomic(body: string): string {
    if (this.#behind > 0) return `(?:${body})`;
    const name = `a${++this.#atoms}`;
    return `(?:(?=(?<${name}>${body}))\\k<${name}>)`;
  }

  #atom(): string {
    const here = this.text[this.at++]!;
    switch (here) {
      case '(':
        return this.#group();
      case '[':
        return this.#class();
      case '.':
        return this.#flags.s ? '[\\s\\S]' : this.#flags.d ? '[^\\n]' : '[^\\n\\r\\u{85}\\u{2028}\\u{2029}]';
      case '^':
        return this.#flags.m ? '(?<![^\\n])' : START;
      case '$':
        return this.#flags.m ? '(?![^\\n])' : `(?=\\n?${END})`;
      case '\\':
        return this.#escape();
      case '*':
      case '+':
      case '?':
        throw new PatternError(`there is nothing to repeat before "${here}" at character ${this.at}`);
      case '{':
        throw new PatternError(
          `there is nothing to repeat before "{" at character ${this.at}; write \\{ for a literal brace`,
        );
      default:
        return literals(here);
    }
  }

  #group(): string {
    if (this.text[this.at] !== '?') return this.#capture();
    this.at++;
    const rest = this.text.slice(this.at, this.at + 64).join('');
    const [mark = ''] = /^(?:[:=!>]|<[=!])/.exec(rest) ?? [];
    this.at += mark.length;
    switch (mark) {
      case ':':
        return `(?:${this.#body()})`;
      case '=':
      case '!':
        return `(?:(?${mark}${this.#body()}))`;
      case '<=':
      case '<!': {
        this.#behind++;
        const body = this.#body();
        this.#behind--;
        return `(?:(?${mark}${body}))`;
      }
      case '>':
        return this.#atomic(this.#body());
      default:
    }
    const name = /^<([A-Za-z][A-Za-z0-9]*)>/.exec(rest);
    if (name !== null) {
      this.at += name[0].length;
      if (this.#names.has(name[1]!)) throw new PatternError(`two groups are named "${name[1]!.slice(0, 40)}"`);
      this.#names.set(name[1]!, this.#groups + 1);
      return this.#capture();
    }
    const flags = /^([idmsuxU]*)(?:-([idmsuxU]*))?([:)])/.exec(rest);
    if (flags === null)
      throw new PatternError(`"(?${rest.slice(0, 6)}" at character ${this.at - 1} is not a known group type`);
    this.at += flags[0].length;
    const before = this.#flags;
    this.#flags = { ...before, ...flagsOf(flags[1]!, true), ...flagsOf(flags[2] ?? '', false) };
    if (flags[3] === ')') return '';
    const body = this.#body();
    this.#flags = before;
    return `(?:${body})`;
  }

  #capture(): string {
    const number = ++this.#groups;
    return `(?<g${number}>${this.#body()})`;
  }

  #body(): string {
    const opened = this.at;
    const body = this.#alternatives();
    if (this.text[this.at] !== ')') throw new PatternError(`the group at character ${opened} is not closed`);
    this.at++;
    return body;
  }

  #escape(): string {
    const letter = this.text[this.at++];
    if (letter === undefined) throw new PatternError('it ends with a single backslash');
    if (letter === 'E') return '';
    const set = setOf(letter);
    if (set !== undefined) return set;
    switch (letter) {
      case 'p':
      case 'P':
        return propertySet(this.#propertyName(), letter === 'P');
      case 'b':
        if (this.text.slice(this.at, this.at + 3).join('') !== '{g}') return BOUNDARY;
        this.at += 3;
        return '(?!\\p{M})';
      case 'B':
        return NO_BOUNDARY;
      case 'A':
        return START;
      case 'z':
        return END;
      case 'Z':
        return `(?=\\n?${END})`;
      case 'R':
        return '(?:\\r\\n|[\\n\\u{b}\\f\\r\\u{85}\\u{2028}\\u{2029}])';
      case 'X':
        return '(?:\\P{M}\\p{M}*|\\p{M}+)';
      case 'k':
        return this.#backReference();
      default:
    }
    if (/[1-9]/.test(letter)) return this.#numberedReference(letter);
    const code = escapedCharacter(this, letter);
    if (code === undefined) throw new PatternError(`\\${letter} is not supported`);
    return literals(String.fromCodePoint(code));
  }

  #propertyName(): string {
    return this.text[this.at] === '{' ? braced(this).trim().replace(/^\^/, '') : (this.text[this.at++] ?? '');
  }

  #backReference(): string {
    const name = /^<([A-Za-z][A-Za-z0-9]*)>/.exec(this.text.slice(this.at, this.at + 64).join(''))?.[1];
    const number = name === undefined ? undefined : this.#names.get(name);
    if (name === undefined || number === undefined) throw new PatternError('\\k must name an earlier group');
    this.at += name.length + 2;
    return `\\k<g${number}>`;
  }

  /** Reads as many digits as there are groups, like Java. */
  #numberedReference(first: string): string {
    let number = Number(first);
    if (number > this.#total) throw new PatternError(`\\${number} refers to a group that does not exist`);
    for (
      let digit = this.text[this.at];
      digit !== undefined && /\d/.test(digit) && number * 10 + Number(digit) <= this.#total;
      digit = this.text[++this.at]
    )
      number = number * 10 + Number(digit);
    return `\\k<g${number}>`;
  }

  /** Reads a class after its opening bracket; it may contain sets, and `&&` is an intersection. */
  #class(): string {
    if (++this.#depth > MAX_DEPTH) throw new PatternError(`classes are nested deeper than ${MAX_DEPTH} levels`);
    const opened = this.at;
    const negated = this.text[this.at] === '^';
    if (negated) this.at++;
    const sections: string[][] = [[]];
    for (let first = true; ; first = false) {
      const here = this.text[this.at++];
      if (here === undefined) throw new PatternError(`the class at character ${opened} is not closed`);
      if (here === ']' && !first) break;
      if (this.#flags.x && /\s/.test(here)) continue;
      if (here === '&' && this.text[this.at] === '&') {
        this.at++;
        sections.push([]);
      } else sections.at(-1)!.push(...this.#member(here));
    }
    this.#depth--;
    const filled = sections.filter((members) => members.length > 0).map((members) => `[${members.join('')}]`);
    return `[${negated ? '^' : ''}${filled.join('&&')}]`;
  }

  /** Reads one member of a class: a set, a character, or a range. */
  #member(here: string): string[] {
    if (here === '[') return [this.#class()];
    const from = this.#classCharacter(here);
    if (typeof from !== 'number') return from;
    const next = this.text[this.at + 1];
    if (this.text[this.at] !== '-' || next === undefined || next === ']' || next === '[')
      return [literal(single(from))];
    const [dash, begin] = [this.at, this.at + 1];
    this.at = begin + 1;
    const to = this.#classCharacter(next);
    if (typeof to !== 'number') {
      // A set cannot end a range, so the dash is a literal.
      this.at = dash;
      return [literal(single(from))];
    }
    if (to < from) throw new PatternError(`the range that ends at character ${this.at} runs backwards`);
    return [`${literal(from)}-${literal(to)}`];
  }

  #classCharacter(here: string): number | string[] {
    if (here !== '\\') return here.codePointAt(0)!;
    const letter = this.text[this.at++];
    if (letter === undefined) throw new PatternError('it ends with a single backslash');
    if (letter === 'E') return [];
    const set =
      setOf(letter) ??
      (letter === 'p' || letter === 'P' ? propertySet(this.#propertyName(), letter === 'P') : undefined);
    if (set !== undefined) return [set];
    const code = escapedCharacter(this, letter);
    if (code === undefined) throw new PatternError(`\\${letter} is not supported in a class`);
    return code;
  }
}

/** Escapes each character between \\Q and \\E; an escaped backslash does not start such a quote. */
function unquoted(pattern: string): string {
  return pattern.replace(/\\Q([\s\S]*?)(?:\\E|$)|\\[\s\S]/g, (found: string, inside: string | undefined) =>
    inside === undefined ? found : inside.replace(/[^\p{L}\p{N}]/gu, '\\$&'),
  );
}

/** Returns a character in the form of the searched text; a ligature becomes its letters. */
function literals(character: string): string {
  const codes = [...searchable(character)].map((one) => literal(one.codePointAt(0)!));
  return codes.length === 1 ? codes[0]! : `(?:${codes.join('')})`;
}

function single(code: number): number {
  const form = [...searchable(String.fromCodePoint(code))];
  return form.length === 1 ? form[0]!.codePointAt(0)! : code;
}

function flagsOf(letters: string, value: boolean): Partial<Flags> {
  return Object.fromEntries([...letters].filter((letter) => 'smxd'.includes(letter)).map((letter) => [letter, value]));
}

/** Counts the capturing groups of the whole pattern, which decide how many digits a reference has. */
function countGroups(text: readonly string[]): number {
  let groups = 0;
  let depth = 0;
  for (let i = 0; i < text.length; i++) {
    const here = text[i];
    if (here === '\\') {
      i++;
    } else if (here === '[') depth++;
    else if (here === ']' && depth > 0) depth--;
    else if (
      here === '(' &&
      depth === 0 &&
      (text[i + 1] !== '?' || (text[i + 2] === '<' && /[A-Za-z]/.test(text[i + 3] ?? '')))
    )
      groups++;
  }
  return groups;
}
