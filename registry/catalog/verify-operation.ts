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
import { buildFields, buildSchema, reservedFields, type BuiltSchema } from './verify-schema.js';
import {
  verifyAccess,
  verifyCodes,
  verifyKinds,
  verifyParts,
  verifySince,
  verifyKeywords,
  verifySummary,
  verifyWhen,
  type Report,
} from './verify-shared.js';

const effects = ['lossy', 'rasterises', 'dropsText', 'needsNetwork', 'nondeterministic'];
/** The services that exist inside a worker process, or that it reaches by message. */
const workerServices: readonly string[] = [
  'logger',
  'clock',
  'settings',
  ...Object.values(tokens).flatMap((known: Token<unknown>) => (known.crossing === undefined ? [] : [known.name])),
];

/** Checks one operation's declaration. Every fault goes to `report`; gives the built parameter schema. */
export function verifyOperation(
  operation: AnyOperation,
  prefixes: readonly string[],
  joi: JoiRoot,
  report: Report,
): BuiltSchema | undefined {
  verifyPath(operation.path, prefixes, report);
  verifySummary(operation.summary, report);
  verifyKeywords(operation.keywords, report);
  verifySince(operation.since, report);
  const takesNone =
    Array.isArray(operation.accepts) &&
    operation.accepts.length === 0 &&
    operation.files === 'all' &&
    operation.pipeline === false;
  if (!takesNone) verifyKinds(operation.accepts, 'accepts', report);
  verifyWord(operation.files, ['each', 'all'], 'files', report);
  verifyWord(operation.input ?? 'checked', ['checked', 'raw'], 'input', report);
  verifyWord(operation.runsIn ?? 'worker', ['worker', 'host'], 'runsIn', report);
  if (typeof operation.run !== 'function') report('run is no function.');

  const built = buildFields(operation.params, joi, 'params', report);
  const fields = new Set(Object.keys(built?.fields ?? {}));
  const parts = verifyParts(operation.parts, fields, report);
  verifyFileAliases(operation, fields, parts, report);
  verifyReturns(operation, built, joi, report);
  verifyWrites(operation, report);
  verifyPasswords(operation, fields, report);
  verifyAliases(operation, fields, parts, report);
  verifyCodes(operation.errors, ['input'], report);
  verifyNeeds(operation, report);
  verifyAccess(operation.access, report);
  for (const [limit, value] of Object.entries(operation.limits ?? {})) {
    if (!['timeoutMs', 'maxPages', 'maxBytes', 'concurrency'].includes(limit)) report(`limits.${limit} is not known.`);
    else if (!Number.isInteger(value) || (value as number) < 1)
      report(`limits.${limit} is ${JSON.stringify(value)}; allowed is a whole number from 1 on.`);
  }
  if (
    operation.job?.attempts !== undefined &&
    (!Number.isInteger(operation.job.attempts) || operation.job.attempts < 1)
  )
    report('job.attempts is no whole number from 1 on.');
  verifyExamples(operation, built, parts, report);
  return built;
}

function verifyPath(path: unknown, prefixes: readonly string[], report: Report): void {
  if (typeof path !== 'string' || !/^[a-z0-9-]+(\/[a-z0-9-]+)+$/.test(path))
    report('its path is not of the form category/name in lower case.');
  else if (!prefixes.includes(path.slice(0, path.indexOf('/'))))
    report(
      `its path begins with "${path.slice(0, path.indexOf('/'))}", which is not in quire.prefixes ` +
        `(${prefixes.join(', ')}).`,
    );
}

function verifyWord(value: unknown, words: readonly string[], title: string, report: Report): void {
  if (!words.includes(value as string))
    report(`${title} is ${JSON.stringify(value)}; allowed is one of ${words.join(', ')}.`);
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
    report("returns.unchanged is for operations whose returns.kind is 'same' and that write nothing.");
  for (const kind of (file.also ?? []) as readonly unknown[])
    if (!Object.hasOwn(fileKinds, String(kind)))
      report(`returns.also names ${JSON.stringify(kind)}, which is not a known kind.`);
  if (file.also !== undefined && file.many === undefined)
    report('returns.also is for operations that may give several files: returns.many.');
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
      report(`returns.kind is ${JSON.stringify(kind)}, which is not known.`);
    return;
  }
  const { by, map } = (kind ?? {}) as { by?: unknown; map?: unknown };
  if (typeof by !== 'string' || typeof map !== 'object' || map === null) {
    report('returns.kind is neither a kind nor { by, map }.');
    return;
  }
  const field = built?.fields[by]?.describe() as
    { readonly flags?: { readonly only?: boolean }; readonly allow?: readonly unknown[] } | undefined;
  if (built !== undefined && field === undefined)
    report(`returns.kind.by names the field ${by}, which the parameters do not have.`);
  for (const [value, mapped] of Object.entries(map))
    if (!Object.hasOwn(fileKinds, String(mapped)))
      report(`returns.kind.map gives ${JSON.stringify(mapped)} for ${value}, which is not a known kind.`);
  if (field?.flags?.only !== true) return;
  for (const value of field.allow ?? [])
    if (!isOverride(value) && !Object.hasOwn(map, String(value)))
      report(`returns.kind.map has no kind for ${by}=${String(value)}.`);
}

function isOverride(value: unknown): boolean {
  return typeof value === 'object' && value !== null;
}

/** Checks how it writes PDFs, and what it says of signatures and other effects. */
function verifyWrites(operation: AnyOperation, report: Report): void {
  const { writes, signedInput, accepts } = operation;
  const makesPdf = typeof operation.returns === 'object' && operation.returns !== null && returnsPdf(operation);
  const kinds: readonly string[] = Array.isArray(accepts) ? accepts : [];
  if (writes !== undefined) {
    verifyWord(writes, ['append', 'rewrite', 'assemble'], 'writes', report);
    if (!makesPdf || !(kinds.includes('pdf') || kinds.includes('any')))
      report(`writes is ${JSON.stringify(writes)}, but it makes no PDF of a PDF.`);
    // An update stands behind one document: which one must be plain.
    if (writes !== 'append' && operation.rewritesWhen !== undefined)
      report('rewritesWhen is for operations whose writes is append.');
    if (writes !== 'append' && operation.certified !== undefined)
      report('certified is for operations whose writes is append.');
    if (operation.certified !== undefined && ![1, 2, 3].includes(operation.certified))
      report(`certified is ${JSON.stringify(operation.certified)}; allowed are 1, 2 and 3.`);
    if (writes === 'append' && operation.files !== 'each') report('writes is "append", which needs files: \'each\'.');
  } else if (makesPdf && kinds.includes('pdf'))
    report('makes a PDF of a PDF and does not say how it writes it; writes is one of append, rewrite, assemble.');
  if (signedInput !== undefined) {
    verifyWord(signedInput, ['allowed'], 'signedInput', report);
    if (writes !== 'rewrite' && writes !== 'assemble')
      report('signedInput is for operations that break signatures: writes is rewrite or assemble.');
  }
  for (const effect of (operation.effects ?? []) as readonly string[]) {
    if (effect === 'breaksSignature') report('effects names "breaksSignature", which follows from writes.');
    else if (!effects.includes(effect))
      report(`effects names ${JSON.stringify(effect)}; allowed are ${effects.join(', ')}.`);
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
      report(`passwords.${of} names the field ${JSON.stringify(field)}, which the parameters do not have.`);
    // Complaints about a field never repeat its value where the name says that it is a password.
    else if (!/password$/i.test(field))
      report(`passwords.${of} names the field ${field}; the name of such a field ends in "password".`);
  }
}

function verifyAliases(
  operation: AnyOperation,
  fields: ReadonlySet<string>,
  parts: ReadonlySet<string>,
  report: Report,
): void {
  for (const [alias, field] of Object.entries(operation.aliases ?? {})) {
    if (!fields.has(field)) report(`aliases.${alias} stands for ${field}, which the parameters do not have.`);
    if (fields.has(alias) || parts.has(alias) || reservedFields.includes(alias))
      report(`aliases.${alias} hides the field of that name.`);
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
    report('fileAliases is no list of field names.');
    return;
  }
  for (const name of fileAliases as readonly string[]) {
    if (fields.has(name) || parts.has(name) || reservedFields.includes(name) || Object.hasOwn(aliases ?? {}, name))
      report(`fileAliases names ${name}, which means something else already.`);
  }
  if (new Set(fileAliases).size < fileAliases.length) report('fileAliases names a field twice.');
}

function verifyNeeds(operation: AnyOperation, report: Report): void {
  for (const program of operation.needs?.programs ?? [])
    if (!/^[a-z0-9][a-z0-9-]*$/.test(program))
      report(`needs.programs names ${JSON.stringify(program)}, which is no program name.`);
  for (const service of operation.needs?.services ?? []) {
    if (typeof service?.symbol !== 'symbol') report('needs.services holds something that is no token.');
    else if (operation.runsIn !== 'host' && !workerServices.includes(service.name)) {
      report(
        `needs the service ${service.name}, which does not exist in a worker process; allowed are ` +
          `${workerServices.join(', ')}, or runsIn: 'host'.`,
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
    if (titles.has(example.title)) report(`${title} is there twice.`);
    titles.add(example.title);
    const names = [
      ...(Array.isArray(example.files) ? example.files : [undefined]),
      ...Object.values(example.parts ?? {}),
    ];
    if (!names.every((name) => typeof name === 'string' && /^[^/\\\0]+$/.test(name)))
      report(`${title} names a file that is no plain name in fixtures/.`);
    for (const part of Object.keys(example.parts ?? {}))
      if (!parts.has(part)) report(`${title} sends the part ${part}, which is not declared.`);
    const refused = example.expect?.refused;
    if (refused !== undefined) {
      if (![...operation.errors, ...commonCodes].includes(refused))
        report(`${title} expects ${refused}, which errors does not name.`);
      continue;
    }
    const fault = built?.schema.validate(example.params ?? {}, { convert: true, abortEarly: false }).error;
    if (fault !== undefined) report(`${title} does not pass the schema: ${fault.message}.`);
  }
}
