import { editFile } from '@quire/document/file/open';

/** Writes a PDF to `target` with this product as its producer; the program that made it stays named as its creator. */
export async function stampFile(source: string, target: string, now: Date): Promise<void> {
  await editFile(source, target, { modified: now }, () => undefined);
}

/**
 * Writes a PDF anew to `target` as its pages lead to it, without a password: for programs that cannot read what is
 * damaged.
 */
export async function mendFile(source: string, target: string): Promise<void> {
  await editFile(source, target, { stamp: false, protection: 'none' }, () => undefined);
}
