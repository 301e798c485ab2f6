import { editFile } from '@quire/document/file/open';

/**
 * Rewrites the objects that the pages of a PDF use to `target`, without encryption, for programs that cannot read
 * damaged files.
 */
export async function repairFile(source: string, target: string): Promise<void> {
  await editFile(source, target, { stamp: false, protection: 'none' }, () => undefined);
}
