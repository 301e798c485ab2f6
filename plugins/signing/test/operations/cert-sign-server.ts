import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createTestServer, type QuireServer } from '@quire/core';
import { callOperation, type FormFile, type OperationAnswer } from '@quire/plugin-kit';
import { expect } from 'chai';
import { Authority, type Issued, PkiServer } from '../../../../test/pki/index.js';

export const path = 'security/cert-sign';
export const password = 's3cr3t-canary';

export interface CertSignServer {
  readonly folder: string;
  readonly root: Authority;
  /** An intermediate authority under `root`; it issued `ann`. */
  readonly authority: Authority;
  readonly ann: Issued;
  readonly stamper: Issued;
  readonly pki: PkiServer;
  readonly server: QuireServer;
  readonly url: string;
  readonly plain: FormFile;
  readonly annStore: FormFile;
  readonly storeOf: (issued: Issued, options?: Parameters<Authority['pkcs12']>[2]) => Promise<FormFile>;
  readonly call: (
    params: Record<string, unknown>,
    parts?: Record<string, FormFile>,
    file?: FormFile,
  ) => Promise<OperationAnswer>;
  /** Signs with Ann's PKCS#12 keystore. */
  readonly withAnn: (params?: Record<string, unknown>, file?: FormFile) => Promise<OperationAnswer>;
  readonly stop: () => Promise<void>;
}

/** Starts a server with the signing plugin, and a time stamp authority that the server calls. */
export async function startCertSignServer(): Promise<CertSignServer> {
  const folder = await mkdtemp(join(tmpdir(), 'quire-cert-sign-'));
  const root = await Authority.root(join(folder, 'root'), { name: 'Root', key: 'rsa2048' });
  const authority = await root.authority(join(folder, 'below'), { name: 'Below', key: 'p256' });
  const ann = await authority.issue({ name: 'Ann Example', key: 'p256' });
  const pki = await PkiServer.start();
  const stamper = await root.issue({ name: 'Time', key: 'rsa2048', purpose: 'time-stamp' });
  const stamps = pki.timeStamps('/tsr', root, stamper);
  const server = await createTestServer({
    plugins: ['@quire/plugin-signing', '@quire/plugin-admin-cert'],
    settings: { 'security.timestamp.defaultTsaUrl': stamps, 'outbound.allowed': ['127.0.0.1'] },
  });
  const url = await server.start();
  const plain = { ...(await fileAt(new URL('../../fixtures/plain.pdf', import.meta.url))), name: 'plain.pdf' };
  const storeOf: CertSignServer['storeOf'] = async (issued, options = {}) => ({
    name: 'store.p12',
    bytes: new Uint8Array(await authority.pkcs12(issued, password, options)),
  });
  const annStore = await storeOf(ann);
  const call: CertSignServer['call'] = (params, parts = {}, file = plain) =>
    callOperation(url, { path, files: [file], params, parts });
  return {
    folder,
    root,
    authority,
    ann,
    stamper,
    pki,
    server,
    url,
    plain,
    annStore,
    storeOf,
    call,
    withAnn: (params = {}, file = plain) =>
      call({ certType: 'PKCS12', password, ...params }, { p12File: annStore }, file),
    stop: async () => {
      await server.stop();
      await pki.stop();
      await rm(folder, { recursive: true });
    },
  };
}

export async function fileAt(location: string | URL): Promise<FormFile> {
  return { name: String(location).split('/').at(-1) ?? '', bytes: new Uint8Array(await readFile(location)) };
}

/** Returns status, code and text of an error response, and expects that the text does not repeat the password. */
export async function refusal(
  answer: Promise<OperationAnswer>,
): Promise<readonly [number, string | undefined, string]> {
  const { status, code, bytes } = await answer;
  const text = Buffer.from(bytes).toString();
  expect(text).not.to.include(password);
  return [status, code, text];
}
