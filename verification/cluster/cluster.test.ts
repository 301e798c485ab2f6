import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { BSON } from 'mongodb';
import { expect } from 'chai';
import { parseAllDocuments } from 'yaml';
import { burdens, nodesUntilFull, type MeasuredCost } from './cost-model.js';
import { withoutTimes } from './job-client.js';
import { drawJobs, type JobKind } from './job-mix.js';
import { judge, type Entry } from './ledger.js';
import { messageReader } from './wire-meter.js';

const deploy = fileURLToPath(new URL('../../deploy/', import.meta.url));
const kind = (name: string, weight = 1): JobKind => ({
  name,
  shape: 'call',
  path: 'general/rotate-pdf',
  fields: {},
  files: [],
  weight,
});

describe('cluster test', () => {
  const entry = (status: string, error: string | null, digest: string): Entry => ({
    kind: kind('rotate'),
    jobId: 'j',
    submittedAt: 0,
    final: { jobId: 'j', complete: true, status, error, result: null, attempts: 1, allResultFiles: [] },
    digest,
  });
  const calm = new Map([['rotate', { status: 'succeeded', error: null, digest: 'a', same: true }]]);

  it('reports a result that differs from the calm run, and accepts an equal one', () => {
    expect(judge([entry('succeeded', null, 'a')], calm)).to.deep.include({ succeeded: 1, equal: 1, problems: [] });
    expect(judge([entry('succeeded', null, 'b')], calm).problems).to.have.length(1);
  });
  it('accepts a failure only when two nodes died, or the calm run failed with the same text', () => {
    expect(
      judge(
        [
          entry(
            'failed',
            'The server stopped while it was running this job (2 times), so the job is not tried again.',
            '',
          ),
        ],
        calm,
      ),
    ).to.deep.include({ gaveUp: 1, problems: [] });
    expect(judge([entry('failed', 'The data store is not available.', '')], calm).problems).to.have.length(1);
  });
  it('reports a job that did not finish', () => {
    expect(judge([{ kind: kind('rotate'), jobId: 'j', submittedAt: 0 }], calm).problems).to.deep.equal([
      'rotate j has not finished',
    ]);
  });
  it('draws the same jobs each time, in proportion to their weights', () => {
    const drawn = drawJobs([kind('a', 3), kind('b')], 4000).map(({ name }) => name);
    expect(drawn).to.deep.equal(drawJobs([kind('a', 3), kind('b')], 4000).map(({ name }) => name));
    expect(drawn.filter((name) => name === 'a').length / 4000).to.be.closeTo(0.75, 0.03);
  });
  it('blanks only the dates and the identifier of a PDF', () => {
    const document = (date: string, id: string, text: string): Buffer =>
      Buffer.from(`/ModDate(D:${date}+01'00')/ID[<${id}><${id}>] ${text}`, 'latin1');
    const one = withoutTimes(document('20261122080000', 'a'.repeat(32), 'page'));
    expect(one.equals(withoutTimes(document('20261122080001', 'b'.repeat(32), 'page')))).to.equal(true);
    expect(one.equals(withoutTimes(document('20261122080000', 'a'.repeat(32), 'pagf')))).to.equal(false);
  });
});

describe('wire meter', () => {
  const message = (command: string, padding: number): Buffer => {
    const body = Buffer.concat([Buffer.from([0, 0, 0, 0, 0x10]), Buffer.from(`${command}\0`), Buffer.alloc(padding)]);
    const head = Buffer.alloc(21);
    head.writeInt32LE(21 + body.length, 0);
    head.writeInt32LE(2013, 12);
    return Buffer.concat([head, body]);
  };
  it('counts every command, however the bytes are split', () => {
    const bytes = Buffer.concat([
      message('find', 10),
      message('insert', 5000),
      message('update', 300),
      message('ping', 0),
    ]);
    for (const size of [1, 3, 7, 256, 257, 4096, bytes.length]) {
      const found: string[] = [];
      const read = messageReader((name) => found.push(name));
      for (let at = 0; at < bytes.length; at += size) read(bytes.subarray(at, at + size));
      expect(found, `pieces of ${size}`).to.deep.equal(['find', 'insert', 'update', 'ping']);
    }
  });
});

describe('commands on the wire', () => {
  it('are counted with the collection they begin with', () => {
    const body = BSON.serialize({ find: 'jobs', filter: {} });
    const head = Buffer.alloc(21);
    head.writeInt32LE(21 + body.length, 0);
    head.writeInt32LE(2013, 12);
    const found: unknown[] = [];
    const read = messageReader((...command) => found.push(command));
    read(Buffer.concat([head, body]));
    expect(found).to.deep.equal([['find', 'jobs']]);
  });
});

describe('cost model', () => {
  const cost: MeasuredCost = {
    operationsPerJob: 20,
    bytesPerJob: 20_000,
    fileCrossings: 2,
    idleOperationsPerSecond: 2,
    operationsPerPoll: 2,
  };
  const capacity = { operationsPerSecond: 20_000, bytesPerSecond: 500e6, connections: 20_000, claimsPerSecond: 2000 };
  it('names the resource that runs out first, and at how many nodes', () => {
    const load = { jobsPerNodeSecond: 4, fileBytes: 2e6, pollsPerJob: 3 };
    expect(burdens(cost, { ...load, nodes: 100 }, capacity)[0]?.what).to.equal('bytes over the wire');
    const most = nodesUntilFull(cost, load, capacity);
    const full = (nodes: number): boolean =>
      burdens(cost, { ...load, nodes }, capacity).some(({ demand, capacity: can }) => demand > can);
    expect([full(most), full(most + 1)]).to.deep.equal([false, true]);
  });
  it('finds commands to be the limit when files are small', () => {
    expect(
      burdens(cost, { jobsPerNodeSecond: 4, fileBytes: 10_000, pollsPerJob: 10, nodes: 1000 }, capacity)[0]?.what,
    ).not.to.equal('bytes over the wire');
  });
});

describe('deployment files', () => {
  const parse = (file: string): Record<string, unknown>[] =>
    parseAllDocuments(readFileSync(join(deploy, file), 'utf8'), { merge: true }).map((document) => {
      expect(document.errors, file).to.deep.equal([]);
      return document.toJS() as Record<string, unknown>;
    });
  const chart = (file: string): string => readFileSync(join(deploy, 'kubernetes', 'chart', file), 'utf8');

  // `deploy/kubernetes/check-chart.sh` renders the chart and validates the manifests.
  it('are a chart: nodes without root, read-only file systems, secrets as files, both probes, one role each', () => {
    const deployment = chart('templates/_helpers.tpl');
    for (const part of [
      'runAsNonRoot: true',
      'runAsUser: 10001',
      'readOnlyRootFilesystem: true',
      'allowPrivilegeEscalation: false',
      'drop: [ALL]',
      'automountServiceAccountToken: false',
      'path: /livez',
      'path: /readyz',
      'STORE_MONGODB_URL_FILE',
      'STORE_SECRET_FILE',
    ])
      expect(deployment, part).to.include(part);
    const roles = [...chart('templates/nodes.yaml').matchAll(/"role" "(\w+)"/g)].map(([, role]) => role);
    expect(roles).to.deep.equal(['web', 'worker']);
  });
  it('start the version of the server that is in the repository', () => {
    const [description] = parse('kubernetes/chart/Chart.yaml') as { appVersion?: string }[];
    const { version } = JSON.parse(readFileSync(join(deploy, '..', 'package.json'), 'utf8')) as { version: string };
    expect(description?.appVersion).to.equal(version);
  });
  it('are a compose file with a store, and with nodes that can write to their volume only', () => {
    const [compose] = parse('compose.yml') as unknown as {
      services: Record<
        string,
        {
          read_only?: boolean;
          user?: string;
          environment: Record<string, string>;
          volumes: string[];
          secrets?: string[];
        }
      >;
    }[];
    expect(Object.keys(compose?.services ?? {}).sort()).to.deep.equal(['api', 'store', 'worker']);
    for (const name of ['api', 'worker']) {
      expect(compose?.services[name], name).to.deep.include({ read_only: true, user: '10001:10001' });
      expect(compose?.services[name]?.volumes, name).to.have.length(1);
      expect(compose?.services[name]?.environment['STORE_MONGODB_URL_FILE'], name).to.equal('/run/secrets/store-url');
      expect(compose?.services[name]?.secrets, name).to.include('store-url');
    }
  });
  it('set only settings that the server knows', async () => {
    const { knownKeys } = await import('../../core/settings/known-keys.js');
    const known = new Set(
      knownKeys.flatMap(({ path, secret }) => {
        const name = path.replaceAll('-', '').replaceAll('.', '_').toUpperCase();
        return secret === true ? [name, `${name}_FILE`] : [name];
      }),
    );
    const text = ['compose.yml', 'kubernetes/chart/values.yaml', 'kubernetes/chart/templates/_helpers.tpl']
      .map((file) => readFileSync(join(deploy, file), 'utf8'))
      .join('\n');
    const named = [...text.matchAll(/\b((?:STORE|SECURITY|CLUSTER|LIMITS|JOBS|SERVER|MANAGEMENT)_[A-Z_]+)\b/g)].map(
      ([, name]) => name ?? '',
    );
    expect(named).to.include('CLUSTER_NODE_ROLE');
    expect(named.filter((name) => !known.has(name))).to.deep.equal([]);
  });
});
