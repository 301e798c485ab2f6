import { finishExport } from '@quire/document/engines/printing';
import { editFile } from '@quire/document/file/open';

/**
 * Writes a PDF to `target`, packed, with this product as its producer; the program that made it stays named as its
 * creator.
 */
export async function stampFile(source: string, target: string, now: Date): Promise<void> {
  await finishExport(source, target, now);
}

/**
 * Rewrites the objects that the pages of a PDF use to `target`, without encryption, for programs that cannot read
 * damaged files.
 */
export async function repairFile(source: string, target: string): Promise<void> {
  await editFile(source, target, { stamp: false, protection: 'none' }, () => undefined);
}
