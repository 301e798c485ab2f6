/** Returns the new name of an object that a script refers to, or undefined if it keeps its name. */
export type Rename = (name: string) => string | undefined;

/** Renaming functions for the fields and named destinations that scripts refer to. */
export interface ScriptNames {
  readonly field: Rename;
  readonly destination: Rename;
}

/**
 * Functions of the viewer's JavaScript that accept field names (JavaScript for Acrobat API Reference), in any argument.
 */
const FIELD_CALLS = new Set([
  'getField',
  'removeField',
  'resetForm',
  'submitForm',
  'mailForm',
  'exportAsFDF',
  'exportAsXFDF',
  'exportAsText',
  'AFSimple_Calculate',
  'AFMakeArrayFromList',
]);
const DESTINATION_CALLS = new Set(['gotoNamedDest']);
/** Calls that only collect arguments for the enclosing call. */
const GATHERING = new Set(['Array', '']);
/** Deepest nesting of brackets around a name within its call. */
const NESTED = 20;

type Token = { readonly kind: 'word' | 'mark' | 'string' | 'other'; readonly text: string };

const UNREAD = /\s+|\/\/[^\n\r]*|\/\*(?:[\s\S]*?\*\/|[\s\S]*)|`(?:\\[\s\S]|[^`\\])*`?/;
const STRING = /"(?:\\[\s\S]|[^"\\\n\r])*"|'(?:\\[\s\S]|[^'\\\n\r])*'/;
/** Matches an unterminated literal to the end of the script at once, so that the running time stays linear. */
const ENDLESS = /"(?:\\[\s\S]|[^"\\\n\r])*|'(?:\\[\s\S]|[^'\\\n\r])*/;
const WORD = /[A-Za-z_$][\w$]*|\d[\w.]*/;
const TOKENS = new RegExp(
  [
    `(?<other>${UNREAD.source})`,
    `(?<string>${STRING.source})`,
    `(?<endless>${ENDLESS.source})`,
    `(?<word>${WORD.source})`,
    '(?<mark>[\\s\\S])',
  ].join('|'),
  'y',
);
/** Only used where a value may start. Longer ones are not treated as regular expressions. */
const REGULAR_EXPRESSION = /\/(?:\\.|\[(?:\\.|[^\]\\\n]){0,500}\]|[^/\\\n[]){1,500}\/\w*/y;

/**
 * Replaces the names of renamed fields and destinations in a script: string literals that equal such a name and are
 * used as one, as an argument (`getField("a.b")`, also within lists) or compared with a field's `name`. Every other
 * byte stays the same.
 */
export function renameInScript(script: string, names: ScriptNames): string {
  const tokens = tokensOf(script);
  const solid = tokens.filter(({ kind }) => kind !== 'other');
  const calls: string[] = [];
  let at = -1;
  return tokens
    .map((token) => {
      if (token.kind !== 'other') at++;
      const before = solid[at - 1];
      if (token.kind === 'mark' && '([{'.includes(token.text))
        calls.push(token.text === '(' && before?.kind === 'word' ? before.text : '');
      else if (token.kind === 'mark' && ')]}'.includes(token.text)) calls.pop();
      if (token.kind !== 'string') return token.text;
      const call = calls.slice(-NESTED).findLast((name) => !GATHERING.has(name)) ?? '';
      if (DESTINATION_CALLS.has(call)) return renamed(token.text, names.destination);
      if (FIELD_CALLS.has(call)) return renamed(token.text, (text) => renameList(text, names.field));
      return isComparedName(solid, at) ? renamed(token.text, names.field) : token.text;
    })
    .join('');
}

function tokensOf(script: string): Token[] {
  const tokens: Token[] = [];
  let last = '';
  for (let at = 0; at < script.length;) {
    REGULAR_EXPRESSION.lastIndex = at;
    const regular =
      script[at] === '/' &&
      script[at + 1] !== '/' &&
      script[at + 1] !== '*' &&
      /^(?:|[(,=:[!&|?{};+~^<>]|return|typeof)$/.test(last)
        ? REGULAR_EXPRESSION.exec(script)
        : null;
    TOKENS.lastIndex = at;
    const { groups = {} } = TOKENS.exec(script) ?? {};
    const kind =
      regular !== null
        ? 'word'
        : groups.other !== undefined || groups.endless !== undefined
          ? 'other'
          : groups.string !== undefined
            ? 'string'
            : groups.word !== undefined
              ? 'word'
              : 'mark';
    const text = regular?.[0] ?? groups.endless ?? groups[kind] ?? script[at] ?? '';
    tokens.push({ kind, text });
    if (kind !== 'other') last = text;
    at += text.length;
  }
  return tokens;
}

/** Detects `event.target.name == "a"` and `"a" != field.name`. */
function isComparedName(solid: readonly Token[], at: number): boolean {
  const text = (from: number, to: number): string =>
    solid
      .slice(Math.max(0, from), Math.max(0, to))
      .map((token) => token.text)
      .join('');
  return /\.name[=!]==?$/.test(text(at - 5, at)) || /^[=!]==?[\w$.]+\.name\b/.test(text(at + 1, at + 12));
}

function renamed(literal: string, rename: Rename): string {
  const quote = literal[0] ?? '"';
  const text = unescaped(literal.slice(1, -1));
  const other = text === undefined ? undefined : rename(text);
  return other === undefined ? literal : quote + other.replaceAll('\\', '\\\\').replaceAll(quote, `\\${quote}`) + quote;
}

/**
 * A literal may be a list of names: `AFSimple_Calculate("SUM", "a, b")`. The whole literal is tried first, since names
 * may contain commas.
 */
function renameList(text: string, rename: Rename): string | undefined {
  const whole = rename(text);
  if (whole !== undefined || !text.includes(',')) return whole;
  const parts = text.split(',').map((part) => {
    const name = part.trim();
    const other = rename(name);
    return other === undefined ? part : part.replace(name, () => other);
  });
  const list = parts.join();
  return list === text ? undefined : list;
}

/** Returns the text of a literal; undefined if it has escapes that no field name needs. */
function unescaped(body: string): string | undefined {
  let odd = false;
  const text = body.replace(
    /\\(?:u([\da-fA-F]{4})|x([\da-fA-F]{2})|(["'\\/])|([\s\S]))/g,
    (_whole, wide?: string, narrow?: string, plain?: string) => {
      const hex = wide ?? narrow;
      if (hex !== undefined) return String.fromCharCode(Number.parseInt(hex, 16));
      odd ||= plain === undefined;
      return plain ?? '';
    },
  );
  return odd ? undefined : text;
}
