import {
  baseName,
  fileReturns,
  holds,
  kindInfo,
  kindOfName,
  type AnyOperation,
  type ConcreteKind,
  type FileReturns,
} from '@quire/registry';

const NAME_BYTES = 200;
// Bidirectional controls, zero-width characters and line separators can make a name look like another one.
const invisible = /[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\ufff9-\uffff]/g;

/**
 * Cleans a client's file name: no folders, no control or invisible characters, NFC, at most 200 bytes with the
 * extension kept.
 */
export function cleanFileName(raw: string | undefined): string {
  const base = (raw ?? '').normalize('NFC').split(/[/\\]/).pop() ?? '';
  const shown = base
    .replace(invisible, '')
    .replace(/[<>:"|?*]/g, '_')
    .trim();
  const name = shown.replace(/^\.+$/, '');
  if (name === '') return 'default';
  const dot = name.lastIndexOf('.');
  const extension = dot > 0 && name.length - dot <= 12 ? name.slice(dot) : '';
  return cutBytes(name.slice(0, name.length - extension.length), NAME_BYTES - Buffer.byteLength(extension)) + extension;
}

function cutBytes(text: string, limit: number): string {
  if (Buffer.byteLength(text) <= limit) return text;
  let used = 0;
  let out = '';
  for (const character of text) {
    used += Buffer.byteLength(character);
    if (used > limit) break;
    out += character;
  }
  return out;
}

/**
 * Returns the file type of an operation's result for these parameters and this input; `bin` if each file has its own.
 */
export function outputKind(
  returns: FileReturns<never>,
  params: Readonly<Record<string, unknown>>,
  input: ConcreteKind,
): ConcreteKind {
  const { kind } = returns;
  if (kind === 'same') return input;
  if (kind === 'any') return 'bin';
  if (typeof kind === 'string') return kind;
  return kind.map[String(params[kind.by])] ?? 'bin';
}

/**
 * Fills in a name template. In a pipeline the last `_word` of the template is left out, so that names do not grow
 * (`docs/interface/pipeline.yml`).
 */
export function fillName(template: string, values: Readonly<Record<string, unknown>>, inPipeline = false): string {
  const shape = inPipeline ? template.replace(/_[^_{}]*$/, '') : template;
  return shape.replace(/\{(\w+)\}/g, (_, key: string) => String(values[key] ?? ''));
}

/** Returns the file name of one output of an operation. */
export function outputName(
  operation: AnyOperation,
  params: Readonly<Record<string, unknown>>,
  input: { name: string; kind: ConcreteKind },
  kind: ConcreteKind,
  part: { n?: number; name?: string } | undefined,
  inPipeline: boolean,
): string {
  const returns = operation.returns as FileReturns<never>;
  const values = { ...params, base: baseName(input.name), input: input.name, n: part?.n ?? 1 };
  const template =
    returns.nameWhen !== undefined && holds(returns.nameWhen.when, params) ? returns.nameWhen.name : returns.name;
  const base =
    part?.name !== undefined
      ? part.name
      : fillName(template, values, inPipeline && (returns.many === undefined || returns.also !== undefined));
  const extension =
    returns.extension !== undefined
      ? fillName(returns.extension, values).toLowerCase()
      : extensionFor(returns, kind, input.name);
  return cleanFileName(`${base}.${extension}`);
}

/**
 * Returns the name of the zip for this many files of a direct call; undefined if the call returns the file itself, or
 * nothing.
 */
export function archiveName(
  operation: AnyOperation,
  params: Readonly<Record<string, unknown>>,
  inputs: readonly { readonly name: string }[],
  count: number,
): string | undefined {
  const many = fileReturns(operation)?.many;
  if (many === undefined || (many.when !== undefined && !holds(many.when, params)))
    return count > 1 ? 'output.zip' : undefined;
  if (count === 0 ? many.none !== 'zip' : count === 1 && many.single === 'file') return undefined;
  return `${fillName(many.archive, { ...params, base: baseName(inputs[0]?.name ?? 'default') })}.zip`;
}

/** A file that is passed on keeps its extension; every other result has the extension of its file type. */
function extensionFor(returns: FileReturns<never>, kind: ConcreteKind, inputName: string): string {
  const own = /\.([A-Za-z0-9]{1,10})$/.exec(inputName)?.[1];
  if (returns.kind === 'same' && own !== undefined && (kindOfName(inputName) === kind || kind === 'bin')) return own;
  return kindInfo(kind).extensions[0] ?? 'bin';
}

/** Adds a number before the extension of repeated names: `a.pdf`, `a(1).pdf`. */
export function uniqueNames(names: readonly string[]): string[] {
  const used = new Set<string>();
  return names.map((name) => {
    const base = baseName(name);
    const extension = name.slice(base.length);
    let candidate = name;
    for (let i = 1; used.has(candidate.toLowerCase()); i++) candidate = `${base}(${i})${extension}`;
    used.add(candidate.toLowerCase());
    return candidate;
  });
}
