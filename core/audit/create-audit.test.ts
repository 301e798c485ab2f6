import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import type { LoginServices } from '../accounts/index.js';
import type { Settings } from '../settings/index.js';
import type { Store } from '../store/index.js';
import { openAuditLog, type AuditEvent } from './index.js';
import { openStore } from '../store/index.js';
import { auditFolderRun, auditJobEnd } from './background-events.js';
import { capturesOf } from './captures.js';
import { createAudit } from './create-audit.js';

describe('createAudit', () => {
  const on: Readonly<Record<string, unknown>> = {
    'premium.enterpriseFeatures.audit.enabled': true,
    'premium.enterpriseFeatures.audit.level': 2,
    'premium.enterpriseFeatures.audit.retentionDays': 5,
    'licence.tier': 'enterprise',
  };
  const make = async ({
    changed = {},
    loggedIn = true,
    records = (): unknown => ({}),
  }: {
    readonly changed?: object;
    readonly loggedIn?: boolean;
    readonly records?: () => unknown;
  }) =>
    (
      await createAudit({
        clock: { now: () => new Date() },
        log: { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined },
        // The few members of settings, store and accounts that are needed.
        login: loggedIn ? ({} as LoginServices) : undefined,
        settings: { get: (path: string) => ({ ...on, ...changed })[path] } as unknown as Settings,
        store: { records } as unknown as Store,
      })
    ).audit;

  it('opens the log according to the settings', async () => {
    const log = await make({});
    expect([log?.level, log?.retentionDays]).to.deep.equal([2, 5]);
  });

  it('opens nothing while the log is off, at level 0, without login, or below an enterprise licence', async () => {
    const untouched = (): never => expect.fail('a record set was opened');
    for (const changed of [
      { 'premium.enterpriseFeatures.audit.enabled': false },
      { 'premium.enterpriseFeatures.audit.level': 0 },
      { 'licence.tier': 'team' },
    ])
      expect(await make({ changed, records: untouched })).to.equal(undefined);
    expect(await make({ loggedIn: false, records: untouched })).to.equal(undefined);
  });
});

describe('Background work in the audit log', () => {
  const principal = { id: '7', name: 'ada', role: 'user', via: 'key', keyId: 'k1' } as const;
  let store: Store;
  let folder: string;
  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'quire-audit-'));
    store = await openStore({ kind: 'embedded', folder });
  });
  after(async () => {
    await store.close();
    rmSync(folder, { recursive: true, force: true });
  });

  it('is recorded with outcome and duration, under the account of the run', async () => {
    let now = Date.parse('2026-11-22T10:00:00Z');
    const log = await openAuditLog({
      store,
      clock: { now: () => new Date(now++) },
      log: { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined },
      level: 2,
      retentionDays: 0,
    });
    const job = {
      jobId: 'ada:1',
      path: 'general/rotate-pdf',
      failure: null,
      caller: principal,
      createdAtMs: 1000,
      startedAtMs: 2000,
      completedAtMs: 2500,
    } as const;
    auditJobEnd(log, { ...job, status: 'succeeded' });
    auditJobEnd(log, {
      ...job,
      status: 'failed',
      failure: { code: 'PDF_DAMAGED', data: {} },
      caller: { ...principal, via: 'session' },
    });
    auditJobEnd(log, { ...job, status: 'cancelled', startedAtMs: null });
    // Recorded as the end of the run, with the name of its folder.
    auditJobEnd(log, { ...job, path: 'watched-folders/0123/run', status: 'succeeded' });
    auditJobEnd(log, { ...job, status: 'running', completedAtMs: null });
    auditFolderRun(log, { run: 'r', folder: 'in/invoices', principal, ms: 12, fault: undefined });
    auditFolderRun(log, {
      run: 'r',
      folder: 'in/invoices',
      principal,
      ms: 12,
      fault: { code: 'PDF_DAMAGED', status: 400, title: '', detail: '' },
    });
    const { events } = await log.page({ principal: 'ada' }, 0, 10);
    const factsOf = ({ type, data: { method, path, status, ms, outcome, origin } }: AuditEvent): unknown[] => [
      type,
      method,
      path,
      status,
      ms,
      outcome,
      origin,
    ];
    expect([...events].reverse().map(factsOf)).to.deep.equal([
      ['PDF_PROCESS', 'JOB', '/api/v1/general/rotate-pdf', 200, 500, 'succeeded', 'API'],
      ['PDF_PROCESS', 'JOB', '/api/v1/general/rotate-pdf', 400, 500, 'failed', 'WEB'],
      ['PDF_PROCESS', 'JOB', '/api/v1/general/rotate-pdf', 499, 0, 'cancelled', 'API'],
      ['PDF_PROCESS', 'FOLDER', '/in/invoices', 200, 12, 'succeeded', 'API'],
      ['PDF_PROCESS', 'FOLDER', '/in/invoices', 400, 12, 'failed', 'API'],
    ]);
    expect([...new Set(events.map(({ data: { jobId } }) => jobId))]).to.have.members(['ada:1', undefined]);
    await log.close();
  });

  it('captures no content unless the settings say so', () => {
    const settings = (on: readonly string[]): Settings =>
      ({ get: (path: string) => on.includes(path) }) as unknown as Settings;
    expect(capturesOf(settings([]))).to.deep.equal({ fileHash: false, results: false, pdfAuthor: false });
    expect(
      capturesOf(
        settings([
          'premium.enterpriseFeatures.audit.captureFileHash',
          'premium.enterpriseFeatures.audit.captureOperationResults',
          'premium.enterpriseFeatures.audit.capturePdfAuthor',
        ]),
      ),
    ).to.deep.equal({ fileHash: true, results: true, pdfAuthor: true });
  });
});
