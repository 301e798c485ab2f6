import { lchown, lstat, mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { copyFile, constants } from 'node:fs';
import { extname, join, sep } from 'node:path';
import { promisify } from 'node:util';
import { giveTo, letRead, moveFile, placeFile, withoutLinks } from '../../isolation/index.js';

/** Extensions that may be part of a file name which a program reads. */
const PLAIN_EXTENSION = /^\.[A-Za-z0-9]{1,10}$/;

/**
 * The private folder of one run of a program, and all that the program can change: inputs are linked into a part of it
 * that the program only reads, and `takeOut` moves its results to their places.
 */
export class RunFolder {
  readonly #inputs: string[] = [];
  readonly #outputs: { readonly from: string; readonly to: string }[] = [];

  private constructor(
    /** Working folder and HOME of the program. */
    readonly path: string,
    private readonly temporary: string,
  ) {}

  /** `root`: parent of the folder; `temporary`: files in it live no longer than a call, so that they may be linked. */
  static async create(root: string, temporary: string): Promise<RunFolder> {
    await mkdir(root, { recursive: true, mode: 0o700 });
    const made = new RunFolder(await mkdtemp(join(root, 'run-')), temporary);
    await mkdir(made.inputs, { mode: 0o755 });
    return made;
  }

  /** The part of it that the program only reads. */
  get inputs(): string {
    return join(this.path, 'in');
  }

  /** Returns a path by which the program reads an existing file; a missing file keeps its path. */
  async input(path: string): Promise<string> {
    const to = join(this.inputs, `${this.#inputs.length}${extensionOf(path)}`);
    try {
      const real = await realpath(path);
      if (path.startsWith(this.temporary + sep)) await withoutLinks(this.temporary, path, (at) => placeFile(at, to));
      else await promisify(copyFile)(real, to, constants.COPYFILE_FICLONE);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return path;
      throw error;
    }
    this.#inputs.push(to);
    return to;
  }

  /** Writes a file that the program reads, and returns its path. */
  async add(name: string, content: string | Uint8Array): Promise<string> {
    const to = join(this.inputs, name);
    await writeFile(to, content);
    this.#inputs.push(to);
    return to;
  }

  /** Returns the path at which the program writes a file for `path`; `name`: the name that the program gives it. */
  output(path: string, name: string = `out-${this.#outputs.length}${extensionOf(path)}`): string {
    const from = join(this.path, name);
    this.#outputs.push({ from, to: path });
    return from;
  }

  /** Gives the folder to the user number under which the program runs, if it has one; after all inputs are placed. */
  async admit(user: number | undefined): Promise<void> {
    if (user !== undefined) giveTo(this.path, user, this.inputs);
    for (const path of this.#inputs) await letRead(path);
  }

  /** Moves the files that the program wrote to their places; call it when it has ended. What is no file stays. */
  async takeOut(): Promise<void> {
    for (const { from, to } of this.#outputs) {
      const facts = await lstat(from).catch(() => undefined);
      if (facts?.isFile() !== true) continue;
      const [user, group] = [process.getuid?.(), process.getgid?.()];
      if (user !== undefined && group !== undefined && facts.uid !== user) await lchown(from, user, group);
      await withoutLinks(this.temporary, to, (at) => moveFile(from, at));
    }
  }

  async remove(): Promise<void> {
    await rm(this.path, { recursive: true, force: true, maxRetries: 3 });
  }
}

function extensionOf(path: string): string {
  const extension = extname(path);
  return PLAIN_EXTENSION.test(extension) ? extension : '';
}
