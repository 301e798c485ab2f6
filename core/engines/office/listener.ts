import { access, mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { OperationalError } from '@quire/registry/errors';
import { childrenOf, WorkClock, type WorkLimit } from '../../semaphore/index.js';
import type { PreparedFonts } from '../fonts/index.js';
import type { GroupEnd, ProcessGroup } from '../programs/process-group.js';
import { temporaryFolder, type ProgramSupervisor } from '../programs/supervisor.js';
import { DocumentFolder } from './document-folder.js';
import { askOffice, findSocket, socketPaths } from './ipc.js';
import { buildIdFile, makeProfile } from './profile.js';

/** Exit code by which the program asks to be restarted after it has set up a fresh profile. */
const RESTART_WANTED = 81;
/** Its message where neither folder is writable; it does not use TMPDIR. */
const NO_SOCKET = /no valid pipe path/;
const START_MS = 60_000;
const POLL_MS = 10;
const WATCH_MS = 500;
/** A conversion computes all the time. */
const STILL_MS = 4000;
/** While a document is open, the program does not end by itself after a conversion. */
const KEEP_OPEN = 'private:factory/swriter';

/** The markers of profiles that are set up, by the program's path. */
const buildIds = new Map<string, Buffer>();

interface ListenerOptions extends Pick<WorkLimit, 'totalTimes'> {
  readonly cpuSeconds: number;
  /** Fonts beside those of the system. */
  readonly fonts: PreparedFonts | undefined;
}

/** A running LibreOffice that waits for documents, in its own folder and with its own profile. */
export class OfficeListener {
  /** Documents that it has received. */
  jobs = 0;
  /** True when it was stopped because it did nothing while it had a document. */
  stuck = false;
  #gone: GroupEnd | undefined;

  private constructor(
    private readonly group: ProcessGroup,
    private readonly socket: string,
    private readonly folder: string,
  ) {
    group.ended.then(
      (end) => {
        this.#gone = end;
      },
      () => undefined,
    );
  }

  /**
   * Starts one in a fresh folder inside `root` and waits until it accepts documents. The folder and the socket are
   * removed when its process ends, for any reason. Rejects with PROGRAM_MISSING, PROGRAM_NOT_STARTED, SHUTTING_DOWN,
   * and
   * when the signal is aborted.
   */
  static async start(
    programs: ProgramSupervisor,
    root: string,
    { cpuSeconds, totalTimes, fonts }: ListenerOptions,
    signal: AbortSignal,
  ): Promise<OfficeListener> {
    const key = programs.list().find(({ name }) => name === 'libreoffice')?.path ?? '';
    for (const last of [false, true]) {
      const folder = await mkdtemp(join(root, 'listener-'));
      const profile = join(folder, 'profile');
      const cleanUp = async (end?: GroupEnd): Promise<void> => {
        if (end?.code === RESTART_WANTED)
          await readFile(buildIdFile(profile)).then(
            (id) => buildIds.set(key, id),
            () => undefined,
          );
        await Promise.all([
          rm(folder, { recursive: true, force: true, maxRetries: 3 }),
          ...socketPaths(profile).map((path) => rm(path, { force: true })),
        ]);
      };
      const fixed = DocumentFolder.inputs(folder);
      const group = await Promise.all([makeProfile(profile, buildIds.get(key)), mkdir(fixed, { mode: 0o755 })])
        .then(() =>
          programs.start(
            'libreoffice',
            [
              '--headless',
              '--norestore',
              '--nolockcheck',
              '--nodefault',
              '--nofirststartwizard',
              '--nologo',
              `-env:UserInstallation=${pathToFileURL(profile).href}`,
              KEEP_OPEN,
            ],
            {
              cwd: folder,
              fixed,
              cpuSeconds,
              cleanUp,
              ...(fonts === undefined ? {} : { env: { FONTCONFIG_FILE: fonts.file }, shown: fonts.folders }),
            },
          ),
        )
        .catch(async (error: unknown) => {
          await cleanUp();
          throw error;
        });
      const clock = new WorkClock({ limitMs: START_MS, totalTimes });
      const unmeasure = clock.measureProgram(group.pid);
      const until = AbortSignal.any([signal, clock.signal]);
      const started = await whenReady(group, folder, profile, until).finally(() => {
        clock.stop();
        unmeasure();
      });
      if (typeof started === 'string') return new OfficeListener(group, started, folder);
      group.stop();
      const { code, stderr } = await group.ended;
      signal.throwIfAborted();
      if (code === RESTART_WANTED && !last) continue;
      throw new OperationalError('PROGRAM_NOT_STARTED', {
        program: 'libreoffice',
        detail:
          started === undefined
            ? `it was not ready after ${START_MS / 1000} seconds`
            : `it ended with code ${code} at its start` +
              (NO_SOCKET.test(stderr)
                ? ': it opens its socket in /tmp or /var/tmp, of which one must be writable'
                : ''),
      });
    }
    throw new OperationalError('PROGRAM_NOT_STARTED', {
      program: 'libreoffice',
      detail: 'it asks to be restarted again and again',
    });
  }

  /** The process that is measured with all that it starts. */
  get pid(): number {
    return this.group.pid;
  }

  /** Opens the folder of the next document. */
  open(): Promise<DocumentFolder> {
    this.jobs++;
    return DocumentFolder.open(this.folder, this.group.user);
  }

  /** False once its folder is removed, after its end. */
  hasFolder(): Promise<boolean> {
    return access(this.folder).then(
      () => true,
      () => false,
    );
  }

  /** Exit status, or undefined while it runs. */
  get gone(): GroupEnd | undefined {
    return this.#gone;
  }

  /**
   * Asks it to run a command line. True when it reports success; false when it ended before, or was stopped because the
   * signal was aborted or it was idle: its crash handler may wait for itself for ever.
   */
  async ask(args: readonly string[], signal: AbortSignal): Promise<boolean> {
    const end = new AbortController();
    const ended = this.group.ended.then(
      () => end.abort(),
      () => end.abort(),
    );
    const either = AbortSignal.any([signal, end.signal]);
    const over = new AbortController();
    void this.#whenStill(over.signal).then((still) => {
      if (!still) return;
      this.stuck = true;
      this.group.stop();
    });
    const done = await askOffice(this.socket, args, either);
    over.abort();
    if (!done) {
      this.group.stop();
      await ended;
    }
    return done;
  }

  /**
   * Resolves to true as soon as it has used no processor time for a while, and sleeps; to false when the result is no
   * longer needed.
   */
  async #whenStill(over: AbortSignal): Promise<boolean> {
    let [ticks, since] = ['', Date.now()];
    while (!over.aborted) {
      await pause(WATCH_MS, undefined, { ref: false });
      const now = await this.#activity();
      if (now === undefined || now !== ticks) [ticks, since] = [now ?? '', Date.now()];
      // While a child process works for it, such as the one that reads PDFs, it waits.
      else if (Date.now() - since > STILL_MS && childrenOf(this.group.programPid()).length === 0) return !over.aborted;
    }
    return false;
  }

  /**
   * Returns the processor time that all its threads have used; undefined while it computes or waits for a disk, and
   * where that is unknown.
   */
  async #activity(): Promise<string | undefined> {
    const stat = await readFile(`/proc/${this.group.programPid()}/stat`, 'utf8').catch(() => '');
    // After the name, which may contain any character: state, ten others, time in user and in system mode (proc(5)).
    const [state = '', ...rest] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return /^[STt]$/.test(state) ? `${rest[10]} ${rest[11]}` : undefined;
  }

  /** Returns its private memory in MB; undefined where that is unknown. */
  async memoryMb(): Promise<number | undefined> {
    const status = await readFile(`/proc/${this.group.programPid()}/status`, 'utf8').catch(() => '');
    const [, kilobytes] = /^RssAnon:\s+(\d+) kB/m.exec(status) ?? [];
    return kilobytes === undefined ? undefined : Number(kilobytes) / 1024;
  }

  /** Ends it at once; settles when all its processes are gone. */
  async stop(): Promise<void> {
    this.group.stop();
    await this.group.ended.catch(() => undefined);
  }
}

/**
 * Returns the socket once the process answers there; its exit status if it ended before; undefined when the signal came
 * first.
 */
async function whenReady(
  group: ProcessGroup,
  folder: string,
  profile: string,
  signal: AbortSignal,
): Promise<string | GroupEnd | undefined> {
  const over = new AbortController();
  const either = AbortSignal.any([signal, over.signal]);
  const answers = async (): Promise<string | undefined> => {
    while (!either.aborted) {
      const socket = await findSocket(profile, temporaryFolder(folder));
      if (socket !== undefined && (await askOffice(socket, undefined, either))) return socket;
      await pause(POLL_MS);
    }
    return undefined;
  };
  try {
    return await Promise.race([answers(), group.ended]);
  } finally {
    over.abort();
  }
}
