import { mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Authority, openssl, PkiServer } from '../../../../test/pki/index.js';
import { type PathFetch } from '../../../signatures/certification-path/index.js';
/** An authority below a root, two certificates of it (one revoked), and a server with their lists and responders. */
export async function revocationPki() {
  const folder = await mkdtemp(join(tmpdir(), 'quire-revocation-'));
  const server = await PkiServer.start();
  const root = await Authority.root(join(folder, 'root'), { name: 'Root' });
  const inner = await root.authority(join(folder, 'inner'), {
    name: 'Inner',
    ocsp: `${server.url}/root-ocsp`,
    crl: `${server.url}/root.crl`,
    issuer: `${server.url}/root.cer`,
  });
  server.ocsp('/root-ocsp', root);
  server.crl('/root.crl', root);
  server.ocsp('/ocsp', inner);
  server.crl('/inner.crl', inner);
  server.issuer('/inner.cer', inner);
  const addresses = { ocsp: `${server.url}/ocsp`, crl: `${server.url}/inner.crl`, issuer: `${server.url}/inner.cer` };
  const ann = await inner.issue({ name: 'Ann', ...addresses });
  const bad = await inner.issue({ name: 'Bad', ...addresses });
  await inner.revoke(bad);
  return { folder, server, root, inner, ann, bad };
}

/** Fetches as the server does, without its guards. */
export const fetchOverHttp: PathFetch = async (_kind, url, request) => {
  const answer = await globalThis
    .fetch(
      url,
      request === undefined
        ? {}
        : { method: 'POST', body: new Uint8Array(request), headers: { 'content-type': 'application/ocsp-request' } },
    )
    .catch(() => undefined);
  return answer?.ok === true ? new Uint8Array(await answer.arrayBuffer()) : undefined;
};
/** A list with an extension. */
export async function listWith(authority: Authority, extension: string): Promise<Buffer> {
  const config = await readFile(join(authority.folder, 'ca.cnf'), 'utf8');
  await writeFile(
    join(authority.folder, 'list.cnf'),
    `${config.replace('[own]\n', '[own]\ncrl_extensions = listed\n')}\n[listed]\n${extension}\n`,
  );
  await openssl(authority.folder, ['ca', '-config', 'list.cnf', '-gencrl', '-crldays', '7', '-out', 'odd.pem']);
  await openssl(authority.folder, ['crl', '-in', 'odd.pem', '-outform', 'DER', '-out', 'odd.der']);
  return readFile(join(authority.folder, 'odd.der'));
}
