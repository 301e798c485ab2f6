import { randomUUID } from 'node:crypto';
import { copyFile, mkdir, readdir, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Clock, InputError, type Logger, token } from '@quire/registry';

/** A document that is being edited, as its owner may use it. */
export interface EditorSession {
  /** The key by which clients know it. */
  readonly jobId: string;
  /** The document as it is now. */
  readonly path: string;
  /** A path for a new file, which goes with the session at the latest. */
  scratch(): string;
  /** Moves a file into the session as its new document. */
  replace(path: string): Promise<void>;
  /** Copies the document as it is now into a file of its own, so that it can be sent while it is edited further. */
  copy(): Promise<string>;
}

/** Editing sessions: a document each, kept for half an hour after its last use, for its owner alone. */
export interface EditorSessions {
  /** Reads what an earlier life left. */
  open(): Promise<void>;
  /** Ends the watch over sessions that nobody uses; they stay on disk. */
  close(): void;
  /** Creates a session with a copy of a document; the oldest sessions are removed for it. */
  create(owner: string, file: { readonly path: string; readonly size: number }): Promise<EditorSession>;
  /**
   * Keeps a session in use while `work` runs. Rejects with EDIT_SESSION_GONE if it does not exist, has expired or
   * belongs to another user, without saying which. `alone` waits for all other uses.
   */
  use<T>(
    owner: string,
    jobId: string,
    how: 'together' | 'alone',
    work: (session: EditorSession) => Promise<T>,
  ): Promise<T>;
  /** Removes a file that `scratch` or `copy` gave. */
  discard(path: string): Promise<void>;
  /** Ends a session; does nothing if it is not the owner's. */
  drop(owner: string, jobId: string): Promise<void>;
}

/** Token of the sessions. */
export const editorSessions = token<EditorSessions>('convert.editorSessions');

const LIFE_MS = 30 * 60_000;
const SWEEP_MS = 60_000;
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** How much is kept. */
export interface SessionBounds {
  readonly perOwner: number;
  readonly sessions: number;
  readonly bytes: number;
}

const defaultBounds: SessionBounds = { perOwner: 20, sessions: 200, bytes: 10 * 1024 ** 3 };

interface Entry {
  readonly id: string;
  readonly owner: string;
  readonly folder: string;
  used: number;
  size: number;
  /** Uses that are running now; an ended session's folder is removed when there are none left. */
  uses: number;
  gone: boolean;
  /** Resolves when the exclusive use before has finished; later uses wait for it. */
  line: Promise<unknown>;
  together: Promise<unknown>[];
}

/** Sessions as folders: `document.pdf` and `session.json`, whose time is that of the last use. */
export class FolderEditorSessions implements EditorSessions {
  readonly #entries = new Map<string, Entry>();
  readonly #bounds: SessionBounds;
  #timer: NodeJS.Timeout | undefined;
  #opened: Promise<void> | undefined;

  constructor(
    private readonly parts: {
      readonly folder: string;
      readonly clock: Clock;
      readonly log: Logger;
      readonly bounds?: Partial<SessionBounds>;
    },
  ) {
    this.#bounds = { ...defaultBounds, ...parts.bounds };
  }

  open(): Promise<void> {
    this.#opened ??= this.#read();
    return this.#opened;
  }

  close(): void {
    clearInterval(this.#timer);
  }

  async create(
    owner: string,
    { path, size }: { readonly path: string; readonly size: number },
  ): Promise<EditorSession> {
    await this.open();
    await this.#sweep();
    const own = [...this.#entries.values()].filter((entry) => entry.owner === owner);
    if (own.length >= this.#bounds.perOwner) await this.#end(oldest(own));
    while (
      this.#entries.size > 0 &&
      (this.#entries.size >= this.#bounds.sessions || this.#bytes() + size > this.#bounds.bytes)
    )
      await this.#end(oldest([...this.#entries.values()]));
    const id = randomUUID();
    const folder = join(this.parts.folder, id);
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await copyFile(path, join(folder, 'document.pdf'));
    await writeFile(join(folder, 'session.json'), JSON.stringify({ owner }), { mode: 0o600 });
    const entry: Entry = {
      id,
      owner,
      folder,
      used: 0,
      size,
      uses: 0,
      gone: false,
      line: Promise.resolve(),
      together: [],
    };
    await this.#touch(entry);
    this.#entries.set(id, entry);
    return this.#sessionOf(entry);
  }

  async use<T>(
    owner: string,
    jobId: string,
    how: 'together' | 'alone',
    work: (session: EditorSession) => Promise<T>,
  ): Promise<T> {
    await this.open();
    const entry = this.#find(owner, jobId);
    entry.uses++;
    const before = how === 'alone' ? Promise.allSettled([entry.line, ...entry.together]) : entry.line;
    const turn = before.then(async () => {
      // It may have been dropped while others had it.
      if (entry.gone) throw new InputError('EDIT_SESSION_GONE');
      await this.#touch(entry);
      return work(this.#sessionOf(entry));
    });
    const over = turn.then(
      () => undefined,
      () => undefined,
    );
    if (how === 'alone') [entry.line, entry.together] = [over, []];
    else entry.together.push(over);
    try {
      return await turn;
    } finally {
      entry.uses--;
      entry.together = entry.together.filter((one) => one !== over);
      if (entry.gone) await this.#remove(entry);
      else await this.#touch(entry);
    }
  }

  async discard(path: string): Promise<void> {
    await rm(path, { force: true });
  }

  async drop(owner: string, jobId: string): Promise<void> {
    await this.open();
    const entry = this.#entryOf(owner, jobId);
    if (entry !== undefined) await this.#end(entry);
  }

  #find(owner: string, jobId: string): Entry {
    const entry = this.#entryOf(owner, jobId);
    if (entry === undefined || this.#isOver(entry)) throw new InputError('EDIT_SESSION_GONE');
    return entry;
  }

  #entryOf(owner: string, jobId: string): Entry | undefined {
    const at = jobId.lastIndexOf(':');
    const entry = this.#entries.get(jobId.slice(at + 1));
    return entry !== undefined && entry.owner === owner && keyOf(entry) === jobId ? entry : undefined;
  }

  #sessionOf(entry: Entry): EditorSession {
    const path = join(entry.folder, 'document.pdf');
    return {
      jobId: keyOf(entry),
      path,
      scratch: () => join(entry.folder, `scratch-${randomUUID()}`),
      replace: async (from) => {
        await rename(from, path);
        entry.size = (await stat(path)).size;
      },
      copy: async () => {
        const target = join(entry.folder, `scratch-${randomUUID()}`);
        await copyFile(path, target);
        return target;
      },
    };
  }

  #isOver({ used }: Entry): boolean {
    return this.parts.clock.now().getTime() - used >= LIFE_MS;
  }

  #bytes(): number {
    return [...this.#entries.values()].reduce((sum, { size }) => sum + size, 0);
  }

  async #touch(entry: Entry): Promise<void> {
    const now = this.parts.clock.now();
    entry.used = now.getTime();
    await utimes(join(entry.folder, 'session.json'), now, now).catch(() => undefined);
  }

  async #end(entry: Entry): Promise<void> {
    entry.gone = true;
    this.#entries.delete(entry.id);
    if (entry.uses === 0) await this.#remove(entry);
  }

  async #remove(entry: Entry): Promise<void> {
    if (entry.uses > 0) return;
    await rm(entry.folder, { recursive: true, force: true }).catch((error: unknown) =>
      this.parts.log.warn({ err: error }, 'an editing session could not be removed'),
    );
  }

  async #sweep(): Promise<void> {
    for (const entry of this.#entries.values()) if (entry.uses === 0 && this.#isOver(entry)) await this.#end(entry);
  }

  async #read(): Promise<void> {
    await mkdir(this.parts.folder, { recursive: true, mode: 0o700 });
    for (const id of await readdir(this.parts.folder)) {
      const folder = join(this.parts.folder, id);
      const entry = UUID.test(id) ? await readEntry(id, folder).catch(() => undefined) : undefined;
      if (entry === undefined || this.#isOver(entry)) await rm(folder, { recursive: true, force: true });
      else this.#entries.set(id, entry);
    }
    this.#timer = setInterval(
      () =>
        void this.#sweep().catch((error: unknown) =>
          this.parts.log.warn({ err: error }, 'editing sessions could not be looked through'),
        ),
      SWEEP_MS,
    );
    this.#timer.unref();
  }
}

async function readEntry(id: string, folder: string): Promise<Entry> {
  const { owner } = JSON.parse(await readFile(join(folder, 'session.json'), 'utf8')) as { readonly owner?: unknown };
  if (typeof owner !== 'string') throw new TypeError('no owner');
  const [{ mtimeMs }, { size }] = await Promise.all([
    stat(join(folder, 'session.json')),
    stat(join(folder, 'document.pdf')),
  ]);
  for (const name of await readdir(folder))
    if (name.startsWith('scratch-')) await rm(join(folder, name), { force: true });
  return { id, owner, folder, used: mtimeMs, size, uses: 0, gone: false, line: Promise.resolve(), together: [] };
}

/** `<user id>:<uuid>`, or the uuid alone where nobody logs in (`docs/interface/convert.yml`, metadata). */
function keyOf({ owner, id }: Pick<Entry, 'owner' | 'id'>): string {
  return owner === '' ? id : `${owner}:${id}`;
}

function oldest(entries: readonly Entry[]): Entry {
  return entries.reduce((first, entry) => (entry.used < first.used ? entry : first));
}
