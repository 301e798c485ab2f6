import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createTestServer, type QuireServer } from '@quire/core';
import { callOperation, type FormFile, type OperationAnswer } from '@quire/plugin-kit';
import { expect } from 'chai';
import { Authority, type Issued, PkiServer } from '../../../../test/pki/index.js';
import type { SignatureReport } from '../../src/functions/signature-report.js';

const path = 'security/validate-signature';
export const fixture = async (name: string): Promise<FormFile> => ({
  name,
  bytes: new Uint8Array(await readFile(new URL(`../../fixtures/${name}`, import.meta.url))),
});

export interface ValidationServer {
  readonly folder: string;
  readonly root: Authority;
  /** An intermediate authority under `root`; it issued `ann`. */
  readonly below: Authority;
  readonly ann: Issued;
  readonly pki: PkiServer;
  readonly plain: FormFile;
  /** `plain`, signed by Ann. */
  readonly signed: FormFile;
  readonly rootFile: FormFile;
  readonly start: (settings: Record<string, unknown>) => Promise<QuireServer>;
  readonly call: (file: FormFile, certFile?: FormFile, at?: string) => Promise<OperationAnswer>;
  readonly reports: (file: FormFile, certFile?: FormFile, at?: string) => Promise<SignatureReport[]>;
  readonly done: (operation: string, file: FormFile, params?: Record<string, unknown>) => Promise<FormFile>;
  readonly sign: (
    file: FormFile,
    params?: Record<string, unknown>,
    issued?: Issued,
    authority?: Authority,
  ) => Promise<FormFile>;
  readonly stop: () => Promise<void>;
}

/** Starts a server that trusts only uploaded certificates, with a signed file to validate. */
export async function startValidationServer(): Promise<ValidationServer> {
  const folder = await mkdtemp(join(tmpdir(), 'quire-validate-'));
  const root = await Authority.root(join(folder, 'root'), { name: 'Root', key: 'rsa2048' });
  const below = await root.authority(join(folder, 'below'), { name: 'Below, the second', key: 'rsa2048' });
  const pki = await PkiServer.start();
  const ocsp = pki.ocsp('/ocsp', below);
  pki.ocsp('/root-ocsp', root);
  const ann = await below.issue({ name: 'Ann Example', key: 'rsa2048', ocsp });
  const stamps = pki.timeStamps(
    '/tsr',
    root,
    await root.issue({ name: 'Time', key: 'rsa2048', purpose: 'time-stamp' }),
  );
  const server = await startServer({ 'security.timestamp.defaultTsaUrl': stamps });
  const url = await server.start();
  const plain = await fixture('plain.pdf');
  const rootFile = { name: 'root.pem', bytes: new Uint8Array(await readFile(root.own.certificateFile)) };
  const call = (file: FormFile, certFile?: FormFile, at = url): Promise<OperationAnswer> =>
    callOperation(at, { path, files: [file], ...(certFile === undefined ? {} : { parts: { certFile } }) });
  const reports = async (file: FormFile, certFile?: FormFile, at = url): Promise<SignatureReport[]> => {
    const answer = await call(file, certFile, at);
    expect(answer.status, Buffer.from(answer.bytes).toString()).to.equal(200);
    return JSON.parse(Buffer.from(answer.bytes).toString()) as SignatureReport[];
  };
  const done = async (
    operation: string,
    file: FormFile,
    params: Record<string, unknown> = {},
    parts: Record<string, FormFile> = {},
  ): Promise<FormFile> => {
    const answer = await callOperation(url, { path: operation, files: [file], params, parts });
    expect(answer.status, Buffer.from(answer.bytes).toString('latin1').slice(0, 500)).to.equal(200);
    return { name: 'done.pdf', bytes: answer.bytes };
  };
  async function sign(
    file: FormFile,
    params: Record<string, unknown> = {},
    issued = ann,
    authority = below,
  ): Promise<FormFile> {
    const chain = Buffer.concat([await readFile(issued.certificateFile), Buffer.from(await authority.chainPem())]);
    return done(
      'security/cert-sign',
      file,
      { certType: 'PEM', name: 'Ann Example', reason: 'Approved', location: 'Köln', ...params },
      {
        privateKeyFile: { name: 'key.pem', bytes: new Uint8Array(await readFile(issued.keyFile)) },
        certFile: { name: 'chain.pem', bytes: new Uint8Array(chain) },
      },
    );
  }
  const signed = await sign(plain);
  const stop = async (): Promise<void> => {
    await server.stop();
    await pki.stop();
    await rm(folder, { recursive: true });
  };
  return {
    folder,
    root,
    below,
    ann,
    pki,
    plain,
    signed,
    rootFile,
    start: startServer,
    call,
    reports,
    done,
    sign,
    stop,
  };
}

const startServer = (settings: Record<string, unknown>): Promise<QuireServer> =>
  createTestServer({
    plugins: ['@quire/plugin-signing', '@quire/plugin-security', '@quire/plugin-admin-cert'],
    settings: {
      'outbound.allowed': ['127.0.0.1'],
      'security.validation.trust.useSystemTrust': false,
      'security.validation.trust.useMozillaBundle': false,
      ...settings,
    },
  });
