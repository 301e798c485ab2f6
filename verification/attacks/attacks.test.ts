import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { deflateSync } from 'node:zlib';
import { expect } from 'chai';
import { makeZip } from '../../test/http/support/zip.js';
import { type ApiDocument, withAnswers } from '../walk/api-document.js';
import { sampleOf } from './arena.js';
import type { Attack, Battlefield, Received } from './attack.js';
import { attackTable, writeAttackTable } from './attack-table.js';
import { allAttacks } from './families/index.js';
import { judge } from './judge.js';

const file = fileURLToPath(new URL('../../docs/reference/openapi.json', import.meta.url));
const battlefield: Battlefield = {
  document: withAnswers(JSON.parse(readFileSync(file, 'utf8')) as ApiDocument),
  listener: 'http://127.0.0.1:9',
  secretFile: '/nowhere/secret.txt',
  dropFolder: '/nowhere/drop',
  foreign: {
    jobId: 'job',
    jobFileId: 'file',
    storedFileId: '7',
    connectionId: '3',
    folderId: 'folder',
    keyId: 'key',
    sessionId: 'session',
    signatureId: 'signature',
    username: 'victim',
  },
  sample: sampleOf,
};

describe('the attacks', () => {
  const attacks = allAttacks(battlefield);
  const families = Map.groupBy(attacks, ({ family }) => family);

  it('are thousands, derived from every documented call', () => {
    expect(attacks.length).to.be.greaterThan(5000);
    const attacked = new Set(attacks.map(({ call }) => call));
    const calls = Object.entries(battlefield.document.paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, call]) => ({ name: `${method} ${path}`, call })),
    );
    // Calls without credentials, parameters and bodies: there is nothing to attack but the connection.
    const bare = calls.filter(({ call }) => !attacked.has(call)).map(({ name }) => name);
    expect(bare.filter((name) => /\{|post|put|patch|delete/.test(name.replace('/actuator', '')))).to.deep.equal([
      'post /api/v1/auth/logout',
      'post /api/v1/auth/refresh',
    ]);
  });

  it('are of eleven families, and each has a title of its own', () => {
    expect([...families.keys()].sort()).to.deep.equal([
      'HTTP',
      'JSON bodies',
      'addresses',
      'credentials',
      'documents',
      'fields',
      'file names',
      'form structure',
      "other users' things",
      'paths',
      'pipelines',
    ]);
    for (const [name, list] of families) expect(list.length, name).to.be.greaterThan(200);
  });

  it('use every kind of caller', () => {
    expect([...new Set(attacks.map(({ caller }) => caller))].sort()).to.deep.equal([
      'administrator',
      'disabled user',
      'foreign token',
      'global key',
      'key of another category',
      'must change password',
      'nobody',
      'read-only key',
      'user',
      'wrong key',
    ]);
  });

  it('have bodies that can be built', () => {
    for (const [name, list] of families) {
      const [first] = list.filter(({ body }) => body !== undefined);
      if (name !== 'HTTP') expect(first?.body?.().length, name).to.be.greaterThan(0);
    }
  });
});

describe('the table of attacks', () => {
  const attack: Attack = { family: 'paths', title: 'x', method: 'GET', path: '/x', caller: 'nobody' };
  const rows = [
    { attack, status: 404, took: 1, faults: [] },
    { attack: { ...attack, caller: 'user' as const }, status: 200, took: 1, faults: ['the answer contains a secret'] },
    { attack: { ...attack, family: 'HTTP' }, status: 0, took: 1, faults: [] },
  ];

  it('counts callers, refusals, answers, closed connections and what held, by family', () => {
    const cells = attackTable(rows)
      .split('\n')
      .slice(2)
      .map((line) => line.split(' | ').filter((_cell, i) => i !== 1));
    expect(cells).to.deep.equal([
      ['| paths', '2', '2', '1', '1', '0', '1 |'],
      ['| HTTP', '1', '1', '0', '0', '1', '1 |'],
      ['| all', '2', '3', '1', '1', '1', '2 |'],
    ]);
  });

  it('replaces the one of the report, and refuses a file without a place for it', () => {
    const folder = mkdtempSync(join(tmpdir(), 'quire-attack-table-'));
    try {
      const report = join(folder, 'report.md');
      copyFileSync(fileURLToPath(new URL('../../docs/reports/security.md', import.meta.url)), report);
      writeAttackTable(report, rows, 0);
      writeAttackTable(report, rows, 4);
      const text = readFileSync(report, 'utf8');
      expect(text.match(/^\| all \|/gm)).to.have.length(1);
      expect(text).to.include('no single attack: 4.').and.include('## Redaction');
      writeFileSync(report, '# Nothing');
      expect(() => writeAttackTable(report, rows, 0)).to.throw('has no lines');
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});

describe('the judge of attacks', () => {
  const attack: Attack = {
    family: 'fields',
    title: 'a text',
    method: 'POST',
    path: '/api/v1/general/rotate-pdf',
    caller: 'user',
    sent: ['/etc/passwd'],
    call: { responses: { 200: { description: '' }, 503: { description: '' } } },
  };
  const guarded = { canary: 'CANARY0123', folders: ['/srv/quire'] };
  const answer = (
    status: number,
    body: string | Buffer = '',
    head = 'Content-Type: application/problem+json',
  ): Received => ({
    status,
    head,
    body: Buffer.from(body),
    took: 5,
  });
  const verdict = (received: Received, changed: Partial<Attack> = {}): string[] =>
    judge({ ...attack, ...changed }, received, guarded);

  it('accepts results and refusals', () => {
    expect(verdict(answer(200, '%PDF-1.7', 'Content-Type: application/pdf'))).to.deep.equal([]);
    expect(verdict(answer(400, '{"detail":"\\"/etc/passwd\\" is no page"}'))).to.deep.equal([]);
    expect(verdict(answer(503, '{"code":"PROGRAM_MISSING"}'))).to.deep.equal([]);
  });

  it('objects to failures of the server, and to no answer', () => {
    expect(verdict(answer(500, 'broken'))).to.deep.equal(['answered 500 broken']);
    expect(verdict(answer(503), { call: { responses: {} } })).to.have.length(1);
    expect(verdict(answer(0))).to.deep.equal(['no answer']);
    expect(verdict({ ...answer(200), took: 61_000 })).to.deep.equal(['answered after 61 s']);
  });

  it('objects to what must be refused, and to refusals in another form', () => {
    expect(verdict(answer(200), { mustBeRefused: true })).to.deep.equal(['answered 200 instead of a refusal']);
    expect(verdict(answer(404, '', 'Content-Type: text/html'))).to.deep.equal([
      'answered 404 without a problem document',
    ]);
  });

  it('finds secrets in answers, also in those of compressed files', () => {
    const packed = Buffer.concat([
      Buffer.from('%PDF-1.7\n1 0 obj\n<</Filter/FlateDecode>>\nstream\n'),
      deflateSync('x CANARY0123 x'),
      Buffer.from('\nendstream'),
    ]);
    const zip = makeZip([{ name: 'a.txt', bytes: Buffer.from(`${'x'.repeat(100)} CANARY0123`) }]);
    for (const body of ['CANARY0123', packed, zip])
      expect(verdict(answer(200, body))).to.deep.equal(['the answer contains a secret']);
    expect(verdict(answer(200, 'root:x:0:0:root:/root'))).to.deep.equal([
      'the answer contains the user list of the machine',
    ]);
  });

  it('finds stacks and places of the server', () => {
    const found = verdict(answer(400, '{"detail":"x\\n    at run (/srv/quire/core/dist/http/a.js:1:2)"}'));
    expect(found).to.include.members([
      'the answer contains a stack',
      'the answer contains a path of the code',
      'the answer contains a folder of the server',
    ]);
  });

  it('finds injected headers, and requests that were hidden in others', () => {
    const head = 'Content-Type: application/problem+json\r\nX-Injected: yes';
    expect(verdict(answer(400, '', head))).to.deep.equal(['a header was injected']);
    const wire = { wire: () => ['x'] };
    const closed = 'HTTP/1.1 400 Bad Request\r\nConnection: close';
    expect(verdict(answer(400, '', closed), wire)).to.deep.equal([]);
    expect(verdict(answer(400, 'HTTP/1.1 200 OK\r\n\r\n', closed), wire)).to.deep.equal([
      'answered a request that was hidden in a refused one',
    ]);
    expect(verdict(answer(0), wire)).to.deep.equal([]);
  });
});
