import { chmod, lchown, mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { inFolder, letRead, moveFile, placeFile, removeTree, withoutLinks } from '../../isolation/index.js';

/**
 * The folders of one document in that of a running LibreOffice, which sees nothing else: the document is linked into
 * one that it only reads, and its result is moved from the other. Another document may have taken the program over.
 */
export class DocumentFolder {
  private constructor(
    private readonly listener: string,
    private readonly user: number | undefined,
    private readonly input: string,
    /** Where the program writes. */
    readonly output: string,
  ) {}

  /** The folder of all documents in that of a running LibreOffice. */
  static inputs(listener: string): string {
    return join(listener, 'in');
  }

  /** `user`: number under which the program runs, where it is not the server's. */
  static async open(listener: string, user: number | undefined): Promise<DocumentFolder> {
    const input = await mkdtemp(join(DocumentFolder.inputs(listener), 'document-'));
    const output = join(listener, basename(input));
    await inFolder(listener, listener, async (held) => {
      const made = join(held, basename(input));
      await mkdir(made, { mode: 0o700 });
      if (user !== undefined) await lchown(made, user, user);
    });
    if (user !== undefined) await chmod(input, 0o755);
    return new DocumentFolder(listener, user, input, output);
  }

  /** Links a document, or copies it, and returns its path for the program. `root`: the server's temporary files. */
  async add(root: string, path: string, name: string): Promise<string> {
    const to = join(this.input, name);
    await withoutLinks(root, path, (at) => placeFile(at, to));
    await letRead(to);
    return to;
  }

  /** Moves the file with this ending that the program wrote to `target`; false if there is none. */
  async takeOut(root: string, ending: string, target: string): Promise<boolean> {
    return inFolder(this.listener, this.output, async (held) => {
      const name = (await readdir(held)).find((file) => file.endsWith(ending));
      if (name === undefined) return false;
      const from = join(held, name);
      if (this.user !== undefined) await lchown(from, process.getuid?.() ?? 0, process.getgid?.() ?? 0);
      await withoutLinks(root, target, (at) => moveFile(from, at));
      return true;
    });
  }

  /** Removes both folders. */
  async close(): Promise<void> {
    await inFolder(this.listener, this.listener, async (held) => removeTree(join(held, basename(this.output)))).catch(
      () => undefined,
    );
    await rm(this.input, { recursive: true, force: true, maxRetries: 3 });
  }
}
