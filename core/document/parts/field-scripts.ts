/** Gives the new name of what a script calls by name, or undefined where the name stays. */
export type Rename = (name: string) => string | undefined;

/** Names that scripts use: of fields, and of named destinations. */
export interface ScriptNames {
  readonly field: Rename;
  readonly destination: Rename;
}

/** Functions of the viewer's JavaScript that take field names (JavaScript for Acrobat API reference), anywhere among their arguments. */
const FIELD_CALLS = new Set(['getField', 'removeField', 'resetForm', 'submitForm', 'mailForm', 'exportAsFDF', 'exportAsXFDF', 'exportAsText', 'AFSimple_Calculate', 'AFMakeArrayFromList']);
const DESTINATION_CALLS = new Set(['gotoNamedDest']);
/** Calls that only gather what goes to the call around them. */
const GATHERING = new Set(['Array', '']);

type Token = { readonly kind: 'word' | 'mark' | 'string' | 'other'; readonly text: string };

/** White space and comments, string literals, template literals, regular expressions (only where a value may begin), words, and marks. */
const TOKENS = /(?<other>\s+|\/\/[^\n\r]*|\/\*[\s\S]*?\*\/|`(?:\\[\s\S]|[^`\\])*`)|(?<string>"(?:\\[\s\S]|[^"\\\n\r])*"|'(?:\\[\s\S]|[^'\\\n\r])*')|(?<word>[A-Za-z_$][\w$]*|\d[\w.]*)|(?<mark>[\s\S])/gy;
const REGULAR_EXPRESSION = /\/(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\n[])+\/\w*/y;

/**
 * Rewrites the names of renamed fields and destinations in a script: string literals that are exactly such a name and stand where a name is
 * taken, as an argument (`getField("a.b")`, lists within it too) or compared with a field's `name`. All else stays byte by byte.
 */
export function renameInScript(script: string, names: ScriptNames): string {
  const tokens = tokensOf(script);
  const calls: string[] = [];
  return tokens.map((token, at) => {
    if (token.kind === 'mark' && '([{'.includes(token.text)) calls.push(token.text === '(' ? wordBefore(tokens, at) : '');
    else if (token.kind === 'mark' && ')]}'.includes(token.text)) calls.pop();
    if (token.kind !== 'string') return token.text;
    const call = calls.findLast((name) => !GATHERING.has(name)) ?? '';
    if (DESTINATION_CALLS.has(call)) return renamed(token.text, names.destination);
    if (FIELD_CALLS.has(call)) return renamed(token.text, (text) => renameList(text, names.field));
    return isComparedName(tokens, at) ? renamed(token.text, names.field) : token.text;
  }).join('');
}

function tokensOf(script: string): Token[] {
  const tokens: Token[] = [];
  let last = '';
  for (let at = 0; at < script.length; ) {
    REGULAR_EXPRESSION.lastIndex = at;
    const regular = script[at] === '/' && script[at + 1] !== '/' && script[at + 1] !== '*' && /^(?:|[(,=:[!&|?{};+~^<>]|return|typeof)$/.test(last) ? REGULAR_EXPRESSION.exec(script) : null;
    TOKENS.lastIndex = at;
    const { groups = {} } = TOKENS.exec(script) ?? {};
    const kind = regular !== null ? 'word' : groups.other !== undefined ? 'other' : groups.string !== undefined ? 'string' : groups.word !== undefined ? 'word' : 'mark';
    const text = regular?.[0] ?? groups[kind] ?? script[at] ?? '';
    tokens.push({ kind, text });
    if (kind !== 'other') last = text;
    at += text.length;
  }
  return tokens;
}

function wordBefore(tokens: readonly Token[], at: number): string {
  const before = neighbour(tokens, at, -1);
  return before?.kind === 'word' ? before.text : '';
}

function neighbour(tokens: readonly Token[], at: number, step: -1 | 1): Token | undefined {
  for (let i = at + step; i >= 0 && i < tokens.length; i += step) if (tokens[i]?.kind !== 'other') return tokens[i];
  return undefined;
}

/** `event.target.name == "a"`, `"a" != field.name`. */
function isComparedName(tokens: readonly Token[], at: number): boolean {
  const solid = tokens.flatMap((token, i) => (token.kind === 'other' ? [] : [{ text: token.text, i }]));
  const place = solid.findIndex(({ i }) => i === at);
  const text = (from: number, to: number): string => solid.slice(Math.max(0, from), Math.max(0, to)).map((token) => token.text).join('');
  return /\.name[=!]==?$/.test(text(place - 5, place)) || /^[=!]==?[\w$.]+\.name\b/.test(text(place + 1, place + 12));
}

function renamed(literal: string, rename: Rename): string {
  const quote = literal[0] ?? '"';
  const text = unescaped(literal.slice(1, -1));
  const other = text === undefined ? undefined : rename(text);
  return other === undefined ? literal : quote + other.replaceAll('\\', '\\\\').replaceAll(quote, `\\${quote}`) + quote;
}

/** `AFSimple_Calculate("SUM", "a, b")`: one literal may list names. A name with a comma in it is tried first as a whole. */
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

/** The text of a literal; undefined for escapes that no field name needs. */
function unescaped(body: string): string | undefined {
  let odd = false;
  const text = body.replace(/\\(?:u([\da-fA-F]{4})|x([\da-fA-F]{2})|(["'\\/])|([\s\S]))/g, (_whole, wide?: string, narrow?: string, plain?: string) => {
    const hex = wide ?? narrow;
    if (hex !== undefined) return String.fromCharCode(Number.parseInt(hex, 16));
    odd ||= plain === undefined;
    return plain ?? '';
  });
  return odd ? undefined : text;
}
