import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { python, type Place, type Step } from './checks.js';

/** Who the fuzzer is. */
export interface Caller {
  readonly name: string;
  /** The header that authenticates, as `name: value`; none while login is off. */
  readonly header?: string;
  /** Calls that would lock this caller out, and why. The fuzzer takes ids from earlier answers, its own too. */
  readonly leftOut?: Readonly<Record<string, string>>;
  /** The only calls of this caller; all calls if it is missing. */
  readonly only?: readonly string[];
}

const EVENTS = 'text/event-stream';

interface DocumentedCall {
  readonly operationId?: string;
  readonly responses?: Readonly<Record<string, { readonly content?: object }>>;
}

/** Calls that are left out for all callers, and why. */
const leftOut: Readonly<Record<string, string>> = {
  restartServer: 'ends the server',
  importDatabase: 'replaces the store of the server under the other calls',
  restoreDatabaseBackup: 'replaces the store of the server under the other calls',
  switchPlugin: 'switches off the calls that follow',
  updateSettings: 'changes the server for the calls that follow',
  updateSetting: 'changes the server for the calls that follow',
  updateSettingsSection: 'changes the server for the calls that follow',
  getJobListEvents: 'is a stream that does not end',
  getWatchedFolderEvents: 'is a stream that does not end',
};

/**
 * Schemathesis' checks that are left out: what remains is about declared statuses, media types, schemas and
 * credentials. A list of wanted checks would override those that are switched off for some operations.
 */
const otherChecks = [
  ['allow_header_conformance', 'ensure_resource_availability', 'missing_required_header', 'negative_data_rejection'],
  ['object_level_authorization', 'positive_data_acceptance', 'response_headers_conformance', 'unsupported_method'],
  ['use_after_free'],
].flat();

/**
 * Schemathesis: calls of every operation with the examples of the document and with made-up values, right and wrong
 * ones. Each answer must have a declared status and media type and match its schema. Callers with an API key also
 * call without credentials and with wrong ones, which must be refused.
 */
export function fuzzer({ document, url, ...place }: Place, caller: Caller): Step {
  const { name, header, only } = caller;
  // Beside a session the fuzzer sends API keys that it makes up; an empty one counts as none, so the session is right.
  const notApplicable = header?.startsWith('X-API-KEY') === true ? [] : ['ignored_auth'];
  const calls =
    only === undefined
      ? ['--exclude-operation-id-regex', anyOf(Object.keys({ ...leftOut, ...caller.leftOut }))]
      : ['--include-operation-id-regex', anyOf(only)];
  return {
    name: `schemathesis, ${name}`,
    // It keeps failed calls in its working folder.
    cwd: place.clients,
    command: python(place, 'schemathesis'),
    args: [
      ['--no-color', '--config-file', configuration(place.clients, document), 'run', document, '--url', url],
      ['--phases', 'examples,fuzzing', '--max-examples', '5', '--seed', '1'],
      ['--exclude-checks', [...otherChecks, ...notApplicable].join()],
      // Python 3.11 fails now and then if two threads parse code (CPython issue 106905).
      ['--workers', '1', '--no-shrink', '--suppress-health-check', 'all', '--request-timeout', '60'],
      ['--continue-on-failure', '--warnings', 'off', ...calls],
      header === undefined ? [] : ['--header', header],
    ].flat(),
    // What was selected, generated and passed.
    summary: /^ +(?:(?:Selected|Tested):|\d+ generated).*$/gm,
  };
}

/**
 * Writes the settings, and returns their path. OpenAPI 3.0 cannot describe events: the schema of these answers is that
 * of the JSON in `data`, as generated clients read it, but schemathesis compares the whole event with it.
 */
function configuration(folder: string, document: string): string {
  const { paths } = JSON.parse(readFileSync(document, 'utf8')) as {
    readonly paths: Readonly<Record<string, Readonly<Record<string, DocumentedCall>>>>;
  };
  const streams = Object.values(paths)
    .flatMap((calls) => Object.values(calls))
    .filter(({ responses = {} }) => Object.values(responses).some(({ content }) => EVENTS in (content ?? {})))
    .flatMap(({ operationId }) => operationId ?? []);
  const path = join(folder, 'schemathesis.toml');
  const own = readFileSync(fileURLToPath(new URL('schemathesis.toml', import.meta.url)), 'utf8');
  const rule = `[[operations]]\ninclude-operation-id = ${JSON.stringify(streams)}\n`;
  writeFileSync(path, `${own}\n${rule}checks.response_schema_conformance.enabled = false\n`);
  return path;
}

function anyOf(operations: readonly string[]): string {
  return `^(${operations.join('|')})$`;
}
