import { randomBytes } from 'node:crypto';
import {
  closeSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { InputError, isQuireError, OperationalError, StartupError, type FieldFault } from '@quire/registry/errors';
import { parseDocument } from 'yaml';
import { checkValue, mask } from './check-values.js';
import { editDocument } from './edit-document.js';
import { environmentName, knownKeyByPath } from './known-keys.js';
import { didYouMean } from './nearest-key.js';
import { SettingsError, FaultList } from './settings-error.js';
import { redirectedSecrets } from './redirected-secrets.js';
import { adminPaths, adminSections } from './settings-sections.js';
import { shortOrigin, type Settings } from './settings.js';

const KEY = /^[a-zA-Z0-9._]+$/;
const DEEPEST = 10;
/** How often a write starts again when somebody else wrote in between. */
const ATTEMPTS = 3;

/** A value that waits for a restart. */
export interface PendingSetting {
  readonly path: string;
  /** A secret stands as ********. */
  readonly value: unknown;
}

interface Edit {
  readonly before: Settings;
  readonly changes: ReadonlyMap<string, unknown>;
  /** Paths that the request has a value for, changed or not. */
  readonly given: ReadonlySet<string>;
  /** The place of a path in the request. */
  readonly pointerOf: (path: string) => string;
}

/**
 * The operator's settings file, as administrators read and change it. Everything runs without a pause in between, so
 * that two changes at once are two changes after one another. What is written would start the server: it has passed the
 * loader before it takes the file's place.
 */
export class SettingsFile {
  #pending: { readonly stamp: string; readonly entries: readonly PendingSetting[] } | undefined;
  readonly #listeners: ((changed: readonly string[], saved: Settings) => void)[] = [];

  readonly #checks: ((next: Settings) => void)[] = [];

  constructor(private readonly running: Settings) {}

  /**
   * The listener is called after each write that changed something, with the settings as the next start will find them.
   */
  onSaved(listener: (changed: readonly string[], saved: Settings) => void): void {
    this.#listeners.push(listener);
  }

  /** The check throws a StartupError for settings with which the server would not start; they are not written then. */
  onCheck(check: (next: Settings) => void): void {
    this.#checks.push(check);
  }

  /**
   * Values by dotted path, of the running server or, with `pending`, as they will be after a restart. Secrets stand as
   * ********.
   */
  values(pending: boolean): readonly (readonly [string, unknown])[] {
    const entries = new Map(this.running.entries().map(({ path, value }) => [path, value]));
    if (pending) for (const { path, value } of this.pending()) entries.set(path, value);
    return adminPaths.map((path) => [path, entries.get(path)] as const);
  }

  /** Returns the settings that a restart would change. Throws SETTINGS_FILE_BROKEN. */
  pending(): readonly PendingSetting[] {
    const stamp = this.#stamp();
    if (this.#pending?.stamp === stamp) return this.#pending.entries;
    const next = this.#load();
    const shown = new Map(next.entries().map(({ path, value }) => [path, value]));
    const entries = adminPaths
      .filter((path) => !isDeepStrictEqual(next.get(path), this.running.get(path)))
      .map((path) => ({ path, value: shown.get(path) }));
    this.#pending = { stamp, entries };
    return entries;
  }

  /**
   * Writes values by dotted path; null takes a key out of the file, so that it stands as shipped. Gives the paths that
   * were changed. Throws SETTINGS_REJECTED with every fault, SETTINGS_FILE_BROKEN for a file that has faults already,
   * SETTINGS_NOT_WRITABLE. A secret stays unchanged when
   * its mask is sent, but not while the address that it is sent to changes. `pointerOf` returns the place of a path in
   * the request.
   */
  write(values: ReadonlyMap<string, unknown>, pointerOf: (path: string) => string): readonly string[] {
    const wanted = this.#check(values, pointerOf);
    for (let attempt = 1; ; attempt++) {
      const before = this.#load();
      const changes = this.#changes(before, wanted, pointerOf);
      if (changes.size === 0) return [];
      const saved = this.#edit({ before, changes, given: new Set(wanted.keys()), pointerOf }, true);
      if (saved !== undefined) {
        for (const listener of this.#listeners) listener([...changes.keys()], saved);
        return [...changes.keys()];
      }
      if (attempt === ATTEMPTS)
        throw new OperationalError('SETTINGS_NOT_WRITABLE', { detail: 'another process is changing it' });
    }
  }

  /**
   * Returns the settings that a restart would find if these values were written, without writing them. Throws as
   * `write` does.
   */
  preview(values: ReadonlyMap<string, unknown>, pointerOf: (path: string) => string): Settings {
    const wanted = this.#check(values, pointerOf);
    const before = this.#load();
    const changes = this.#changes(before, wanted, pointerOf);
    if (changes.size === 0) return before;
    const after = this.#edit({ before, changes, given: new Set(wanted.keys()), pointerOf }, false);
    if (after === undefined)
      throw new OperationalError('SETTINGS_NOT_WRITABLE', { detail: 'another process is changing it' });
    return after;
  }

  /** The values that differ from those of the file. */
  #changes(
    before: Settings,
    wanted: ReadonlyMap<string, unknown>,
    pointerOf: (path: string) => string,
  ): ReadonlyMap<string, unknown> {
    const changes = new Map(
      [...wanted].filter(([path, value]) =>
        value === null ? before.origin(path) !== 'shipped' : !isDeepStrictEqual(before.get(path), value),
      ),
    );
    const forbidden = [...changes.keys()]
      .filter((path) => knownKeyByPath.get(path)?.fileOnly === true)
      .map((path) => ({ pointer: pointerOf(path), detail: this.#fileOnlyText(path) }));
    if (forbidden.length > 0) throw rejected(forbidden);
    return changes;
  }

  /** The converted values; a secret sent back as it is shown is left out. */
  #check(values: ReadonlyMap<string, unknown>, pointerOf: (path: string) => string): Map<string, unknown> {
    const wanted = new Map<string, unknown>();
    const faults: FieldFault[] = [];
    for (const [path, value] of values) {
      const key = knownKeyByPath.get(path);
      const fault = pathFault(path);
      if (fault !== undefined || key === undefined) {
        faults.push({ pointer: pointerOf(path), detail: fault ?? `${path} is not a known key` });
        continue;
      }
      if (key.secret === true && value === mask) continue;
      if (value === null) {
        wanted.set(path, null);
        continue;
      }
      const list = new FaultList();
      const checked = checkValue({ key, value, origin: 'request', folder: '' }, list);
      if (list.size === 0) wanted.set(path, checked);
      else faults.push({ pointer: pointerOf(path), detail: list.details().join('; ') });
    }
    if (faults.length > 0) throw rejected(faults);
    // A licence key that is typed in is meant to hold (`docs/interface/platform.yml`, admin settings rules).
    const licence = wanted.get('premium.key');
    if (typeof licence === 'string' && licence !== '' && !wanted.has('premium.enabled'))
      wanted.set('premium.enabled', true);
    return wanted;
  }

  #fileOnlyText(path: string): string {
    return (
      `${path} can be set only in the settings file (${basename(this.running.operatorFile)}) or as the environment ` +
      `variable ${environmentName(path)}, on the machine of the server: it decides which files, folders or programs ` +
      'of that machine the server uses'
    );
  }

  /**
   * Edits a copy of the file and gives what it says; with `keep` the copy takes the file's place. Undefined when the
   * file changed meanwhile.
   */
  #edit({ before, changes, given, pointerOf }: Edit, keep: boolean): Settings | undefined {
    const target = this.#target();
    const temporary = join(dirname(target), `.settings-${randomBytes(6).toString('hex')}.yml`);
    try {
      const text = this.#text();
      const document = parseDocument((text ?? '').replace(/^\uFEFF/, ''));
      const shared = [...changes]
        .filter(([path, value]) => editDocument(document, path, value ?? undefined) === 'shared')
        .map(([path]) => ({
          pointer: pointerOf(path),
          detail:
            `${path} stands in a part of the settings file that an anchor shares with others; change it there by ` +
            'hand',
        }));
      if (shared.length > 0) throw rejected(shared);
      mkdirSync(dirname(target), { recursive: true, mode: 0o700 });
      writeDurably(temporary, document.toString({ lineWidth: 0 }));
      const after = this.#load(temporary);
      this.#verify(before, after, changes, pointerOf);
      const kept = redirectedSecrets(before, after, given);
      if (kept.length > 0) throw rejected(kept.map(({ path, detail }) => ({ pointer: pointerOf(path), detail })));
      for (const check of this.#checks) runCheck(check, after, [...changes.keys()], pointerOf);
      if (this.#text() !== text) return undefined;
      if (keep) renameSync(temporary, target);
      return after;
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (isQuireError(error) || code === undefined) throw error;
      throw new OperationalError('SETTINGS_NOT_WRITABLE', { detail: code }, { cause: error });
    } finally {
      removeQuietly(temporary);
    }
  }

  /** The edited file must give every wanted value, and change nothing else. */
  #verify(
    before: Settings,
    after: Settings,
    changes: ReadonlyMap<string, unknown>,
    pointerOf: (path: string) => string,
  ): void {
    const faults: FieldFault[] = [];
    for (const { path } of after.entries()) {
      const wanted = changes.get(path);
      if (wanted === undefined) {
        if (
          !isDeepStrictEqual(path === 'plugins' ? null : after.get(path), path === 'plugins' ? null : before.get(path))
        )
          faults.push({
            pointer: pointerOf(path),
            detail:
              `${path} would change as well, because the settings file shares it by an anchor; change it there ` +
              'by hand',
          });
      } else if (wanted === null ? isHigher(after.origin(path)) : !isDeepStrictEqual(after.get(path), wanted)) {
        const origin = after.origin(path);
        faults.push({
          pointer: pointerOf(path),
          detail: origin.startsWith('environment ')
            ? `${path} is set by the environment variable ${origin.slice('environment '.length)}, which goes ` +
              'before the settings file'
            : `${path} is set in ${shortOrigin(origin)}, which goes before the settings file`,
        });
      }
    }
    if (faults.length > 0) throw rejected(faults);
  }

  #load(instead?: string): Settings {
    try {
      return this.running.reload(instead);
    } catch (error) {
      if (error instanceof SettingsError)
        throw new OperationalError(
          'SETTINGS_FILE_BROKEN',
          { detail: error.faults.map(({ message }) => shortOrigin(message)).join(' ') },
          { cause: error },
        );
      throw error;
    }
  }

  /** The file itself, where the name is a link. */
  #target(): string {
    try {
      return realpathSync(this.running.operatorFile);
    } catch {
      return this.running.operatorFile;
    }
  }

  #text(): string | undefined {
    try {
      return readFileSync(this.running.operatorFile, 'utf8');
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
      throw error;
    }
  }

  /** Changes whenever a file that settings come from does. */
  #stamp(): string {
    const files = [this.running.operatorFile, join(this.running.paths.configs, 'custom_settings.yml')];
    return files
      .map((file) => {
        const found = statSync(file, { throwIfNoEntry: false });
        return found === undefined ? 'none' : `${found.ino}:${found.size}:${found.mtimeMs}`;
      })
      .join(' ');
  }
}

/** Returns the fault of a path, or undefined for a path that administrators may use. */
function pathFault(path: string): string | undefined {
  const parts = path.split('.');
  if (path.length > 300 || !KEY.test(path))
    return `"${path.slice(0, 80)}" is not a valid key: use letters, digits, dots and underscores`;
  if (parts.length > DEEPEST) return `${path.slice(0, 80)} has ${parts.length} levels; at most ${DEEPEST} are allowed`;
  if (!(adminSections as readonly string[]).includes(parts[0] ?? ''))
    return (
      `${path} is in no section that can be changed here.${didYouMean(path, adminPaths)} Sections are ` +
      `${adminSections.join(', ')}`
    );
  return knownKeyByPath.has(path) ? undefined : `${path} is not a known key.${didYouMean(path, adminPaths)}`;
}

function runCheck(
  check: (next: Settings) => void,
  after: Settings,
  changed: readonly string[],
  pointerOf: (path: string) => string,
): void {
  try {
    check(after);
  } catch (error) {
    if (!(error instanceof StartupError)) throw error;
    const detail = String(error.data['detail'] ?? error.message);
    // The key that the fault names, or the first one that was changed.
    const path = changed.find((one) => detail.includes(one)) ?? changed[0] ?? '';
    throw rejected([{ pointer: pointerOf(path), detail }]);
  }
}

function isHigher(origin: string): boolean {
  return origin.startsWith('environment ') || origin.includes('custom_settings.yml');
}

function rejected(faults: readonly FieldFault[]): InputError {
  return new InputError('SETTINGS_REJECTED', { detail: faults.map(({ detail }) => detail).join('; ') }, faults);
}

function removeQuietly(file: string): void {
  try {
    rmSync(file, { force: true });
  } catch {
    // A file that could not be created need not be removed.
  }
}

function writeDurably(file: string, text: string): void {
  const handle = openSync(file, 'wx', 0o600);
  try {
    writeSync(handle, text);
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}
