import {
  commonCodes,
  fileKinds,
  returnsPdf,
  tokens,
  type AnyOperation,
  type FileReturns,
  type JoiRoot,
  type Token,
} from '@quire/registry';
import { verifyPresentation } from './presentation/index.js';
import { buildFields, buildSchema, reservedFields, type BuiltSchema } from './verify-schema.js';
import {
  verifyAccess,
  verifyCodes,
  verifyDeprecation,
  verifyKinds,
  verifyParts,
  verifySince,
  verifyKeywords,
  verifySummary,
  verifyWhen,
  type Report,
} from './verify-shared.js';

const effects = ['lossy', 'rasterises', 'dropsText', 'needsNetwork', 'nondeterministic'];
/** The services that exist inside a worker process, or that it calls by message. */
const workerServices: readonly string[] = [
  'logger',
  'clock',
  'settings',
  ...Object.values(tokens).flatMap((known: Token<unknown>) => (known.crossing === undefined ? [] : [known.name])),
];

/**
 * Checks one operation's declaration and passes every fault to `report`. `own`: services of its plugin. Returns the
 * built parameter schema.
 */
export function verifyOperation(
  operation: AnyOperation,
  prefixes: readonly string[],
  joi: JoiRoot,
  report: Report,
  own: readonly Token<unknown>[] = [],
): BuiltSchema | undefined {
  verifyPath(operation.path, prefixes, report);
  verifyName(operation.name, report);
  verifySummary(operation.summary, report);
  verifyKeywords(operation.keywords, report);
  verifySince(operation.since, report);
  verifyDeprecation(operation.deprecated, report);
  const takesNone =
    Array.isArray(operation.accepts) &&
    operation.accepts.length === 0 &&
    operation.files === 'all' &&
    operation.pipeline === false;
  if (!takesNone) verifyKinds(operation.accepts, 'accepts', report);
  verifyWord(operation.files, ['each', 'all'], 'files', report);
  verifyWord(operation.input ?? 'checked', ['checked', 'raw'], 'input', report);
  verifyWord(operation.runsIn ?? 'worker', ['worker', 'host'], 'runsIn', report);
  if (typeof operation.run !== 'function') report('run is not a function.');

  const built = buildFields(operation.params, joi, 'params', report);
  const fields = new Set(Object.keys(built?.fields ?? {}));
  const parts = verifyParts(operation.parts, fields, report);
  verifyFileAliases(operation, fields, parts, report);
  verifyReturns(operation, built, joi, report);
  verifyWrites(operation, report);
  verifyPasswords(operation, fields, report);
  verifyAliases(operation, fields, parts, report);
  verifyCodes(operation.errors, ['input'], report);
  verifyNeeds(operation, own, report);
  verifyAccess(operation.access, report);
  for (const [limit, value] of Object.entries(operation.limits ?? {})) {
    if (!['timeoutMs', 'maxPages', 'maxBytes', 'concurrency'].includes(limit)) report(`limits.${limit} is not known.`);
    else if (!Number.isInteger(value) || (value as number) < 1)
      report(`limits.${limit} is ${JSON.stringify(value)}; it must be a whole number of at least 1.`);
  }
  if (
    operation.job?.attempts !== undefined &&
    (!Number.isInteger(operation.job.attempts) || operation.job.attempts < 1)
  )
    report('job.attempts must be a whole number of at least 1.');
  verifyExamples(operation, built, parts, report);
  verifyPresentation(operation, built, report);
  return built;
}

function verifyPath(path: unknown, prefixes: readonly string[], report: Report): void {
  if (typeof path !== 'string' || !/^[a-z0-9-]+(\/[a-z0-9-]+)+$/.test(path))
    report('its path must have the form category/name in lower case.');
  else if (!prefixes.includes(path.slice(0, path.indexOf('/'))))
    report(
      `its path begins with "${path.slice(0, path.indexOf('/'))}", which is not in quire.prefixes ` +
        `(${prefixes.join(', ')}).`,
    );
}

function verifyName(name: unknown, report: Report): void {
  if (name !== undefined && (typeof name !== 'string' || !/^[a-z][A-Za-z0-9]{2,39}$/.test(name)))
    report(`its name is ${JSON.stringify(name)}; it must be 3 to 40 letters and digits in camel case.`);
}

function verifyWord(value: unknown, words: readonly string[], title: string, report: Report): void {
  if (!words.includes(value as string))
    report(`${title} is ${JSON.stringify(value)}; it must be one of ${words.join(', ')}.`);
}

function verifyReturns(operation: AnyOperation, built: BuiltSchema | undefined, joi: JoiRoot, report: Report): void {
  const returns: unknown = operation.returns;
  if (typeof returns !== 'object' || returns === null) {
    report('returns is missing.');
    return;
  }
  if ('json' in returns) {
    buildSchema(returns.json, joi, 'returns.json', report);
    return;
  }
  const file = returns as FileReturns<unknown>;
  const fields = new Set(Object.keys(built?.fields ?? {}));
  verifyReturnKind(file.kind, built, report);
  verifyTemplate(file.name, fields, 'returns.name', report);
  if (file.nameWhen !== undefined) {
    verifyTemplate(file.nameWhen.name, fields, 'returns.nameWhen.name', report);
    verifyWhen(file.nameWhen.when, fields, 'returns.nameWhen.when', report);
  }
  if (file.unchanged !== undefined && (file.kind !== 'same' || operation.writes !== undefined))
    report("returns.unchanged is only for operations with returns.kind 'same' and without writes.");
  for (const kind of (file.also ?? []) as readonly unknown[])
    if (!Object.hasOwn(fileKinds, String(kind)))
      report(`returns.also has ${JSON.stringify(kind)}, which is not a known file type.`);
  if (file.also !== undefined && file.many === undefined)
    report('returns.also is only for operations that can return several files (returns.many).');
  if (file.extension !== undefined) verifyTemplate(file.extension, fields, 'returns.extension', report);
  if (file.many !== undefined) {
    verifyTemplate(file.many.archive, fields, 'returns.many.archive', report);
    verifyWhen(file.many.when, fields, 'returns.many.when', report);
    if (file.many.unpack !== undefined)
      verifyWord(file.many.unpack, ['always', 'onDemand'], 'returns.many.unpack', report);
    if (file.many.single !== undefined) verifyWord(file.many.single, ['file', 'zip'], 'returns.many.single', report);
    if (file.many.none !== undefined) verifyWord(file.many.none, ['zip'], 'returns.many.none', report);
  }
  if (file.pages !== undefined && typeof file.pages !== 'function')
    verifyWord(file.pages, ['same', 'any'], 'returns.pages', report);
}

function verifyReturnKind(kind: unknown, built: BuiltSchema | undefined, report: Report): void {
  if (typeof kind === 'string') {
    if (kind !== 'same' && kind !== 'any' && !Object.hasOwn(fileKinds, kind))
      report(`returns.kind is ${JSON.stringify(kind)}, which is not a known file type.`);
    return;
  }
  const { by, map } = (kind ?? {}) as { by?: unknown; map?: unknown };
  if (typeof by !== 'string' || typeof map !== 'object' || map === null) {
    report('returns.kind is neither a file type nor { by, map }.');
    return;
  }
  const field = built?.fields[by]?.describe() as
    | { readonly flags?: { readonly only?: boolean }; readonly allow?: readonly unknown[] }
    | undefined;
  if (built !== undefined && field === undefined)
    report(`returns.kind.by is the field ${by}, which the parameters do not have.`);
  for (const [value, mapped] of Object.entries(map))
    if (!Object.hasOwn(fileKinds, String(mapped)))
      report(`returns.kind.map has ${JSON.stringify(mapped)} for ${value}, which is not a known file type.`);
  if (field?.flags?.only !== true) return;
  for (const value of field.allow ?? [])
    if (!isOverride(value) && !Object.hasOwn(map, String(value)))
      report(`returns.kind.map has no file type for ${by}=${String(value)}.`);
}

function isOverride(value: unknown): boolean {
  return typeof value === 'object' && value !== null;
}

/** Checks `writes` and the members about signatures and other effects. */
function verifyWrites(operation: AnyOperation, report: Report): void {
  const { writes, signedInput, accepts } = operation;
  const makesPdf = typeof operation.returns === 'object' && operation.returns !== null && returnsPdf(operation);
  const kinds: readonly string[] = Array.isArray(accepts) ? accepts : [];
  if (writes !== undefined) {
    verifyWord(writes, ['append', 'rewrite', 'assemble'], 'writes', report);
    if (!makesPdf || !(kinds.includes('pdf') || kinds.includes('any')))
      report(`writes is ${JSON.stringify(writes)}, but the operation does not turn PDFs into PDFs.`);
    // An incremental update applies to one document, so there must be one input.
    if (writes !== 'append' && operation.rewritesWhen !== undefined)
      report("rewritesWhen is only for operations with writes: 'append'.");
    if (writes !== 'append' && operation.certified !== undefined)
      report("certified is only for operations with writes: 'append'.");
    if (operation.certified !== undefined && ![1, 2, 3].includes(operation.certified))
      report(`certified is ${JSON.stringify(operation.certified)}; it must be 1, 2 or 3.`);
    if (writes === 'append' && operation.files !== 'each') report('writes is "append", which needs files: \'each\'.');
  } else if (makesPdf && kinds.includes('pdf'))
    report('turns PDFs into PDFs without declaring writes, which must be one of append, rewrite, assemble.');
  if (signedInput !== undefined) {
    verifyWord(signedInput, ['allowed'], 'signedInput', report);
    if (writes !== 'rewrite' && writes !== 'assemble')
      report("signedInput is only for operations that break signatures (writes: 'rewrite' or 'assemble').");
  }
  for (const effect of (operation.effects ?? []) as readonly string[]) {
    if (effect === 'breaksSignature')
      report('effects has "breaksSignature", which follows from writes and must not be declared.');
    else if (!effects.includes(effect))
      report(`effects has ${JSON.stringify(effect)}; allowed are ${effects.join(', ')}.`);
  }
}

function verifyTemplate(template: unknown, fields: ReadonlySet<string>, title: string, report: Report): void {
  if (typeof template !== 'string' || template === '') {
    report(`${title} is missing.`);
    return;
  }
  for (const [, name = ''] of template.matchAll(/\{([^}]*)\}/g)) {
    if (!['base', 'input', 'n'].includes(name) && !fields.has(name))
      report(`${title} has the placeholder {${name}}; known are {base}, {input}, {n} and the parameters.`);
  }
}

function verifyPasswords({ passwords }: AnyOperation, fields: ReadonlySet<string>, report: Report): void {
  for (const [of, field] of Object.entries((passwords ?? {}) as Record<string, unknown>)) {
    if (of !== 'input' && of !== 'result') report(`passwords.${of} is not known; allowed are input, result.`);
    else if (typeof field !== 'string' || !fields.has(field))
      report(`passwords.${of} is the field ${JSON.stringify(field)}, which the parameters do not have.`);
    // Error messages never repeat the value of a field whose name marks it as a password.
    else if (!/password$/i.test(field))
      report(`passwords.${of} is the field ${field}; the name of such a field must end in "password".`);
  }
}

function verifyAliases(
  operation: AnyOperation,
  fields: ReadonlySet<string>,
  parts: ReadonlySet<string>,
  report: Report,
): void {
  for (const [alias, field] of Object.entries(operation.aliases ?? {})) {
    if (!fields.has(field)) report(`aliases.${alias} refers to ${field}, which the parameters do not have.`);
    if (fields.has(alias) || parts.has(alias) || reservedFields.includes(alias))
      report(`aliases.${alias} hides the field with that name.`);
  }
}

function verifyFileAliases(
  { fileAliases, aliases }: AnyOperation,
  fields: ReadonlySet<string>,
  parts: ReadonlySet<string>,
  report: Report,
): void {
  if (fileAliases === undefined) return;
  if (
    !Array.isArray(fileAliases) ||
    !fileAliases.every((name) => typeof name === 'string' && /^[A-Za-z][A-Za-z0-9_-]*$/.test(name))
  ) {
    report('fileAliases is not a list of field names.');
    return;
  }
  for (const name of fileAliases as readonly string[]) {
    if (fields.has(name) || parts.has(name) || reservedFields.includes(name) || Object.hasOwn(aliases ?? {}, name))
      report(`fileAliases has ${name}, which has another meaning already.`);
  }
  if (new Set(fileAliases).size < fileAliases.length) report('fileAliases has a field twice.');
}

function verifyNeeds(operation: AnyOperation, own: readonly Token<unknown>[], report: Report): void {
  const allowed = [...workerServices, ...own.filter(({ crossing }) => crossing !== undefined).map(({ name }) => name)];
  for (const program of operation.needs?.programs ?? [])
    if (!/^[a-z0-9][a-z0-9-]*$/.test(program))
      report(`needs.programs has ${JSON.stringify(program)}, which is not a program name.`);
  for (const path of operation.needs?.settings ?? [])
    if (typeof path !== 'string' || !/^[a-z][A-Za-z0-9-]*(\.[A-Za-z][A-Za-z0-9-]*)+$/.test(path))
      report(`needs.settings has ${JSON.stringify(path)}, which is not the path of a setting, such as mail.enabled.`);
  for (const service of operation.needs?.services ?? []) {
    if (typeof service?.symbol !== 'symbol') report('needs.services has an item that is not a token.');
    else if (operation.runsIn !== 'host' && !allowed.includes(service.name)) {
      report(
        `needs the service ${service.name}, which does not exist in a worker process; allowed are ` +
          `${allowed.join(', ')}, or runsIn: 'host'.`,
      );
    }
  }
}

function verifyExamples(
  operation: AnyOperation,
  built: BuiltSchema | undefined,
  parts: ReadonlySet<string>,
  report: Report,
): void {
  const examples: unknown = operation.examples;
  if (!Array.isArray(examples) || examples.length === 0) {
    report('has no example.');
    return;
  }
  const titles = new Set<string>();
  for (const example of operation.examples) {
    const title = `the example "${String(example.title)}"`;
    if (typeof example.title !== 'string' || example.title === '') report('an example has no title.');
    if (titles.has(example.title)) report(`${title} is declared twice.`);
    titles.add(example.title);
    const names = [
      ...(Array.isArray(example.files) ? example.files : [undefined]),
      ...Object.values(example.parts ?? {}),
    ];
    if (!names.every((name) => typeof name === 'string' && /^[^/\\\0]+$/.test(name)))
      report(`${title} uses a file that is not a plain name in fixtures/.`);
    for (const part of Object.keys(example.parts ?? {}))
      if (!parts.has(part)) report(`${title} sends the part ${part}, which is not declared.`);
    const refused = example.expect?.refused;
    if (refused !== undefined) {
      if (![...operation.errors, ...commonCodes].includes(refused))
        report(`${title} expects ${refused}, which is not in errors.`);
      continue;
    }
    const fault = built?.schema.validate(example.params ?? {}, { convert: true, abortEarly: false }).error;
    if (fault !== undefined) report(`${title} does not pass the schema: ${fault.message}.`);
  }
}
