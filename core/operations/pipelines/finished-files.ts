import { join } from 'node:path';
import type { Principal } from '@quire/registry';
import type { ResultStamps, Runner } from '../runner/index.js';
import type { WireFile } from '../workers/index.js';
import type { Flowing } from './flow/run-step.js';

interface FinishedFilesDeps {
  readonly runner: Pick<Runner, 'zip'>;
  readonly stamps: Pick<ResultStamps, 'finish'>;
}

interface FinishedRun {
  readonly files: readonly WireFile[];
  readonly principal: Principal;
  /** Private folder of the whole run. */
  readonly folder: string;
  readonly signal: AbortSignal;
}

/** Writes the operator's metadata into the results of a pipeline, once, after its last step. */
export class FinishedFiles {
  readonly #unchanged: ReadonlySet<string>;
  #written = 0;

  constructor(
    private readonly deps: FinishedFilesDeps,
    private readonly run: FinishedRun,
  ) {
    this.#unchanged = new Set(run.files.map(({ path }) => path));
  }

  async of(files: readonly Flowing[]): Promise<readonly Flowing[]> {
    const finished: Flowing[] = [];
    for (const file of files)
      finished.push(file.members === undefined ? await this.#file(file) : await this.#bundle(file, file.members));
    return finished;
  }

  /** Files that no step wrote stay as they are, and so do those whose metadata is the work of a step. */
  async #file(file: Flowing): Promise<Flowing> {
    if (this.#unchanged.has(file.path) || file.ownMetadata === true) return file;
    return this.deps.stamps.finish(file, this.#newPath(), this.run);
  }

  async #bundle(bundle: Flowing, members: readonly Flowing[]): Promise<Flowing> {
    const finished: Flowing[] = [];
    for (const member of members) finished.push(await this.#file(member));
    if (finished.every((member, i) => member === members[i])) return bundle;
    const { path, size } = await this.deps.runner.zip(finished, this.#newPath(), this.run.signal);
    return { ...bundle, path, size, members: finished };
  }

  #newPath(): string {
    return join(this.run.folder, `finished${this.#written++}`);
  }
}
