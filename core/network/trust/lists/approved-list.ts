import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ListFault } from './list-fault.js';
import { elementsIn } from '@quire/document/file/xml/dom';
import { certificatesOf, parseList } from './xml.js';

const NAME = 'SecuritySettings.xml';
const MAX_BYTES = 32 * 1024 * 1024;
const MAX_CERTIFICATES = 20_000;

/**
 * Reads an approved trust list: a PDF that embeds SecuritySettings.xml, whose Certificate elements hold DER in base64.
 * Throws ListFault.
 */
export async function readApprovedList(path: string): Promise<readonly string[]> {
  const folder = await mkdtemp(join(tmpdir(), 'quire-list-'));
  try {
    const { root } = parseList(await unpack(path, join(folder, 'settings.xml')));
    const certificates = certificatesOf(elementsIn(root, 'Certificate')).slice(0, MAX_CERTIFICATES);
    if (certificates.length === 0) throw new ListFault(`${NAME} holds no certificate`);
    return [...new Set(certificates)];
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function unpack(path: string, target: string): Promise<Uint8Array> {
  const [{ withPdf }, { readAttachments, unpackFile }] = await Promise.all([
    import('@quire/document/file/open'),
    import('@quire/document/structure/attachments'),
  ]);
  const outcome = await withPdf({ path }, { repair: false }, async ({ document: { context }, pages }) => {
    const attachment = readAttachments(context, pages).find(
      ({ name, file }) => name.toLowerCase() === NAME.toLowerCase() && file !== undefined,
    );
    return attachment?.file === undefined
      ? undefined
      : (await unpackFile(context, attachment.file, target, MAX_BYTES)).outcome;
  }).catch(() => 'no PDF' as const);
  if (outcome === 'no PDF') throw new ListFault('the list is not a readable PDF');
  if (outcome !== 'written')
    throw new ListFault(outcome === undefined ? `the list embeds no ${NAME}` : `${NAME} in the list is ${outcome}`);
  return readFile(target);
}
