import { readTimeStampReply, timeStampRequest, CmsFault } from '@quire/document/signatures/cms';
import { signFile } from '@quire/document/signatures';
import { OperationalError } from '@quire/registry/errors';

/** Sends a time stamp request to the authority, and gives its reply: both DER. */
export type AskAuthority = (request: Uint8Array) => Promise<Uint8Array>;

/** Bytes for a token with the certificates of its authority; the largest public ones need about eight thousand. */
const TOKEN_BYTES = 16 * 1024;

/**
 * Appends a document time stamp (ISO 32000-2, 12.8.5; RFC 3161) to the PDF at `source`, into a new file. Only the
 * SHA-256 digest of what it covers is asked for. Errors: those of `signFile`, what `ask` rejects with, REMOTE_ANSWER
 * for a reply that does not hold.
 */
export async function timestampPdf(
  source: string,
  target: string,
  { ask, remote, mode }: { readonly ask: AskAuthority; readonly remote: string; readonly mode: 'append' | 'rewrite' },
): Promise<void> {
  await signFile(source, target, {
    mode,
    entries: ({ pages: [page] }) => {
      if (page === undefined) throw new RangeError('a document has pages');
      return { subFilter: 'ETSI.RFC3161', capacity: TOKEN_BYTES, page };
    },
    value: (digest) => tokenOf(digest('sha256'), ask, remote),
  });
}

async function tokenOf(digest: Uint8Array, ask: AskAuthority, remote: string): Promise<Uint8Array> {
  const token = await stampHash(digest, ask, remote);
  if (token.length > TOKEN_BYTES)
    throw new OperationalError('REMOTE_ANSWER', {
      remote,
      detail: `with a time stamp of ${token.length} bytes; at most ${TOKEN_BYTES} fit`,
    });
  return token;
}

/**
 * Has a SHA-256 digest stamped, and checks the token. Errors: what `ask` rejects with, REMOTE_ANSWER for a reply that
 * does not hold.
 */
export async function stampHash(hash: Uint8Array, ask: AskAuthority, remote: string): Promise<Uint8Array> {
  const request = timeStampRequest(hash);
  const reply = await ask(request.der);
  try {
    return await readTimeStampReply(reply, request);
  } catch (error) {
    if (error instanceof CmsFault)
      throw new OperationalError('REMOTE_ANSWER', { remote, detail: error.message }, { cause: error });
    throw error;
  }
}
