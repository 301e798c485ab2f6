import { join } from 'node:path';
import type { WireFile } from '../workers/index.js';
import type { VerifiedStep } from './flow/model.js';
import type { StepFile } from './step-files.js';

/** The stored files that the steps of a run receive; each is copied once, when the first step needs it. */
export class RunFiles {
  readonly #copies = new Map<string, Promise<WireFile>>();

  constructor(private readonly folder: string) {}

  /** Returns the files of a step by field. Rejects as `StepFile.copyTo`. */
  async partsOf({ parts }: Pick<VerifiedStep, 'parts'>): Promise<Readonly<Record<string, readonly WireFile[]>>> {
    const copied = Object.entries(parts).map(
      async ([field, files]) => [field, await Promise.all(files.map((file) => this.#copyOf(file)))] as const,
    );
    return Object.fromEntries(await Promise.all(copied));
  }

  #copyOf(file: StepFile): Promise<WireFile> {
    let copy = this.#copies.get(file.id);
    if (copy === undefined) this.#copies.set(file.id, (copy = this.#copy(file)));
    return copy;
  }

  async #copy({ id, name, kind, size, copyTo }: StepFile): Promise<WireFile> {
    const path = join(this.folder, `asset-${id}`);
    await copyTo(path);
    return { name, kind, size, path };
  }
}
