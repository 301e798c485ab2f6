import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { Quire } from '@quire/client';
import { catalogOf } from './catalog.js';
import { kebab, searchOperations } from './command-names.js';
import { endingOf, EXIT, Failure } from './failure.js';
import { cacheFolder, configFile, localFolder, version } from './folders.js';
import { localServerRuns } from './local-server.js';
import { GLOBAL_OPTIONS, parse, type GlobalValues } from './options.js';
import { ask, note, print, printJson } from './output.js';
import { savedPipelines } from './saved-pipelines.js';
import { chosenUrl, connectTo, savedLogin } from './server.js';

/** `quire tools [search]`. */
export async function toolsCommand(args: readonly string[], signal: AbortSignal): Promise<void> {
  const { values, positionals } = parse({ ...GLOBAL_OPTIONS }, args, 'tools');
  const { json, ...choice } = values as GlobalValues;
  const connection = await connectTo(choice, signal);
  const { operations } = await catalogOf(connection, signal);
  const saved = await savedPipelines(connection, signal);
  const search = positionals.join(' ');
  const found = search === '' ? operations : searchOperations(operations, search);
  const foundSaved = search === '' ? saved : searchOperations(saved, search);
  if (found.length + foundSaved.length === 0)
    throw new Failure(EXIT.unknown, `No tool has to do with "${search}".`, 'List all: quire tools');
  if (json === true) return printJson([...found, ...foundSaved]);
  const sorted = [...found].sort((a, b) => (kebab(a.name) < kebab(b.name) ? -1 : 1));
  for (const { name, summary, availability } of sorted)
    print(
      `${kebab(name).padEnd(30)} ${summary}${availability.state === 'available' ? '' : ` (${availability.state})`}`,
    );
  if (foundSaved.length > 0) print('\nSaved pipelines:');
  for (const { name, title } of foundSaved) print(`${name.padEnd(30)} ${title}`);
}

/** `quire login [--url <address>]`: asks for address and key, tries them, and keeps them. */
export async function loginCommand(args: readonly string[], signal: AbortSignal): Promise<void> {
  const { values } = parse({ ...GLOBAL_OPTIONS }, args, 'login');
  const { url: given } = values as GlobalValues;
  const known = savedLogin().url ?? 'http://127.0.0.1:8080';
  const interactive = process.stdin.isTTY;
  const url = given ?? (interactive ? (await ask(`Address of the server [${known}]: `)).trim() || known : known);
  // Not an option: other users of the machine can read the arguments of programs.
  const apiKey =
    process.env['QUIRE_API_KEY'] ?? (await ask(interactive ? 'API key: ' : '', { hidden: interactive })).trim();
  const quire = new Quire({ url, apiKey, retries: 0 });
  await quire.request('/api/v1/general/jobs', { query: { limit: 1 }, signal });
  const file = configFile();
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  writeFileSync(`${file}.new`, JSON.stringify({ url, apiKey }, null, 2), { mode: 0o600 });
  renameSync(`${file}.new`, file);
  note(`Saved in ${file}. Calls go to ${url} now.`);
}

/** `quire logout`: forgets address and key. */
export function logoutCommand(): void {
  rmSync(configFile(), { force: true });
  note('Address and key are forgotten.');
}

/** `quire doctor`: what is set up, and what is missing. */
export async function doctorCommand(args: readonly string[], signal: AbortSignal): Promise<void> {
  const { values } = parse({ ...GLOBAL_OPTIONS }, args, 'doctor');
  const { json, ...choice } = values as GlobalValues;
  const url = chosenUrl(choice);
  const facts: Record<string, unknown> = {
    version,
    node: process.version,
    server: url ?? 'local',
    key:
      process.env['QUIRE_API_KEY'] !== undefined
        ? 'QUIRE_API_KEY'
        : savedLogin().apiKey === undefined
          ? 'none'
          : configFile(),
    cache: cacheFolder(),
    ...(url === undefined ? { localFolder: localFolder(), localServerRuns: await localServerRuns() } : {}),
  };
  let failed: unknown;
  try {
    const { operations, version: serverVersion } = await catalogOf(await connectTo(choice, signal), signal);
    const missing = new Map<string, string | undefined>();
    for (const { availability } of operations)
      for (const { name, install } of availability.missing ?? []) missing.set(name, install);
    const available = operations.filter(({ availability }) => availability.state === 'available').length;
    Object.assign(facts, { serverVersion, tools: operations.length, available, missing: Object.fromEntries(missing) });
  } catch (error) {
    failed = error;
    facts['fault'] = endingOf(error).lines[0];
  }
  if (json === true) printJson(facts);
  else for (const [name, value] of Object.entries(facts)) print(`${name.padEnd(18)} ${shown(value)}`);
  if (failed !== undefined) throw failed as Error;
}

function shown(value: unknown): string {
  if (typeof value !== 'object' || value === null) return String(value);
  const entries = Object.entries(value);
  if (entries.length === 0) return 'nothing';
  return entries.map(([name, install]) => `${name}${install === undefined ? '' : ` (${String(install)})`}`).join('; ');
}
