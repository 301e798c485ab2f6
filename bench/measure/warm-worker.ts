import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, rm, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { workerFlags } from '../../core/operations/workers/worker-start.js';
import type { FromWorker, RunOutcome, RunTask } from '../../core/operations/workers/protocol.js';
import { benchFolder } from './inputs.js';

const product = fileURLToPath(new URL('../..', import.meta.url));
const functions = fileURLToPath(new URL('core-functions.mjs', import.meta.url));

/** A built worker process, called as the server does: measures a call without HTTP. */
export class WarmWorker {
  #next = 1;
  private constructor(
    private readonly child: ChildProcess,
    private readonly folder: string,
    private readonly root: string,
  ) {}

  /** Starts a worker for operations, or one for document functions that no operation uses yet. */
  static async start(
    kind: 'operations' | 'functions' = 'operations',
    { flags = [], root = product }: { readonly flags?: readonly string[]; readonly root?: string } = {},
  ): Promise<WarmWorker> {
    const entry = join(root, 'core', 'dist', 'operations', 'workers', 'worker-entry.js');
    const child = fork(kind === 'operations' ? entry : functions, [], {
      execArgv: [...workerFlags(1024), ...flags],
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    });
    await once(child, 'message');
    return new WarmWorker(child, join(benchFolder, `worker-${String(child.pid)}`), root);
  }

  get pid(): number {
    return this.child.pid ?? 0;
  }

  /** Runs an operation on files on disk, including its checks before and after, and discards the results. */
  async run(
    plugin: string,
    operation: string,
    inputs: readonly string[],
    params: Readonly<Record<string, unknown>> = {},
    kind: RunTask['files'][number]['kind'] = 'pdf',
  ): Promise<number> {
    const folder = join(this.folder, String(this.#next));
    await mkdir(folder, { recursive: true });
    const files = await Promise.all(
      inputs.map(async (path) => ({ name: basename(path), kind, size: (await stat(path)).size, path })),
    );
    const task: RunTask = {
      type: 'run',
      entryUrl: pathToFileURL(join(this.root, 'plugins', plugin, 'dist', 'index.js')).href,
      operation,
      params,
      files,
      parts: {},
      folder,
      maxPages: 100_000,
      policy: { signedInput: 'refuse', rewriteAlways: false },
      settings: {},
      inPipeline: false,
      strict: false,
      zip: false,
    };
    const begin = performance.now();
    await this.#send(task);
    const took = performance.now() - begin;
    await rm(folder, { recursive: true });
    return took;
  }

  /** Calls a function of `core-functions.mjs`. Returns its milliseconds and its result: pages, or bytes written. */
  async function(name: string, inputs: readonly string[]): Promise<{ readonly took: number; readonly value: number }> {
    await mkdir(this.folder, { recursive: true });
    this.child.send({ name, inputs, target: join(this.folder, 'out.pdf') });
    const [answer] = (await once(this.child, 'message')) as [{ took: number; value: number; error?: string }];
    if (answer.error !== undefined) throw new Error(answer.error);
    return answer;
  }

  async stop(): Promise<void> {
    this.child.disconnect();
    await once(this.child, 'exit');
    await rm(this.folder, { recursive: true, force: true });
  }

  #send(task: RunTask): Promise<RunOutcome> {
    const id = this.#next++;
    return new Promise((resolve, reject) => {
      const listen = (message: FromWorker): void => {
        if (message.kind === 'done' && message.id === id) resolve(message.outcome);
        else if (message.kind === 'failed' && message.id === id)
          reject(new Error(message.stack ?? JSON.stringify(message.error)));
        else return;
        this.child.off('message', listen);
      };
      this.child.on('message', listen);
      this.child.send({ kind: 'task', id, task });
    });
  }
}
