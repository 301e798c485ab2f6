import { expect } from 'chai';
import { createHash } from 'node:crypto';
import { makePdf } from '../../kit/make-pdf.js';
import { S3Server } from '../../suites/s3-server.js';
import { AutomationServer, turn } from '../support/automations.js';
import { expectProblem, field, file, json, pointers, post, type Answer } from '../support/client.js';
import { API } from '../support/pipelines.js';
import { until } from '../support/server.js';

describe('Saved S3 connections', () => {
  const on = new AutomationServer(['@quire/plugin-integration']);
  let s3: S3Server;
  const connection = async (more: object = {}): Promise<number> => {
    const config = {
      bucket: 'bucket',
      region: s3.region,
      endpoint: s3.url,
      accessKeyId: s3.accessKey,
      secretAccessKey: s3.secretKey,
      ...more,
    };
    const answer = await on.send('integrations', { integrationType: 'S3', name: 'Archive', config });
    expect(answer.status, answer.body.toString()).to.equal(200);
    return json<{ id: number }>(answer).id;
  };
  const source = (options: object) => on.send('sources', { name: 'In', type: 's3', enabled: true, options });

  before(async () => {
    s3 = await S3Server.start();
    await on.start({ policies: { allowPrivateS3Endpoints: true, allowPrivateApiEndpoints: true } });
  });
  after(async () => {
    await on.server.stop();
    await s3.stop();
  });

  it('are where sources take files from and destinations put them', async () => {
    const connectionId = await connection();
    const saved = json<{ id: string; options: object }>(await source({ connectionId, prefix: 'in/' }));
    expect(saved.options).to.deep.equal({ connectionId, prefix: 'in/', mode: 'consume' });
    const body = Buffer.from(await makePdf({ pages: 1 }));
    const etag = `"${createHash('md5').update(body).digest('hex')}"`;
    s3.objects.set('/bucket/in/a.pdf', { body, checksum: undefined, etag });
    const { id } = await on.create({
      name: 'Buckets',
      inputs: [{ source: saved.id }],
      destinations: [{ type: 's3', options: { connectionId, prefix: 'out/' } }],
    });
    expect((await on.shown(id)).destinations[0]?.options).to.deep.equal({ connectionId, prefix: 'out/' });
    await on.post(`automations/${id}/trigger`);
    await until('the result is in the bucket', () => s3.objects.has('/bucket/out/a.pdf'));
    await until('the input is removed', () => !s3.objects.has('/bucket/in/a.pdf'));
    // On another server, another connection may have this number.
    const exported = (await on.get(`automations/${id}/export`)).body;
    const report = await post(`${on.url}${API}/automations/import`, [
      file(exported, 'a.json'),
      field('dryRun', 'true'),
    ]);
    const { entries } = json<{ entries: { findings: { kind: string; pointer: string }[] }[] }>(report);
    const todo = entries[0]?.findings.filter(({ kind }) => kind === 'todo').map(({ pointer }) => pointer);
    expect(todo).to.include.members(['/inputs/0/source/options/connectionId', '/destinations/0/options/connectionId']);
    const inUse = expectProblem(await on.delete(`integrations/${connectionId}`), 409, 'CONNECTION_IN_USE');
    expect(inUse.detail).to.include('the source "In", the automation "Buckets"');
    await on.delete(`automations/${id}`);
    await on.delete(`sources/${saved.id}`);
    expect((await on.delete(`integrations/${connectionId}`)).status).to.equal(204);
  });

  it('that do not exist, are disabled, of another type or do not work are refused by saving', async () => {
    const refused = async (connectionId: number) => {
      const problem = expectProblem(await source({ connectionId }), 400, 'INPUT_INVALID');
      expect(pointers(problem)).to.deep.equal(['/options/connectionId']);
      return problem.detail;
    };
    expect(await refused(999)).to.include('there is no connection 999');
    const broken = await connection();
    s3.failWith = 403;
    expect(await refused(broken)).to.include('was rejected');
    s3.failWith = undefined;
    await on.send(`integrations/${broken}`, { enabled: false }, 'PUT');
    expect(await refused(broken)).to.include('is disabled');
    const other = await on.send('integrations', { integrationType: 'MCP', name: 'm' });
    expect(await refused(json<{ id: number }>(other).id)).to.include('is of type MCP');
    const work = { name: 'Out', work: turn, destinations: [{ type: 's3', options: { connectionId: broken } }] };
    const destination = expectProblem(await on.send('automations', work), 400, 'AUTOMATION_INVALID');
    expect(pointers(destination)).to.deep.equal(['/destinations/0/options/connectionId']);
    expectProblem(await source({ prefix: 'in/' }), 400, 'INPUT_INVALID');
  });

  it('stand for their bucket where automations could feed each other', async () => {
    const connectionId = await connection();
    const keys = {
      bucket: 'bucket',
      region: s3.region,
      endpoint: `${s3.url}/`,
      accessKeyId: s3.accessKey,
      secretAccessKey: s3.secretKey,
      pathStyle: true,
    };
    const to = (options: object) => [{ type: 's3', options }];
    const { id: first } = json<{ id: string }>(await source({ connectionId, prefix: 'in/' }));
    const { id: second } = json<{ id: string }>(await source({ ...keys, prefix: 'out/' }));
    const schedule = { type: 'schedule', cron: '0 0 1 1 *' };
    const { id } = await on.create({
      name: 'There',
      inputs: [{ source: first, trigger: schedule }],
      destinations: to({ connectionId, prefix: 'out/' }),
    });
    const back = { name: 'Back', work: turn, inputs: [{ source: second, trigger: schedule }] };
    const answer = await on.send('automations', { ...back, destinations: to({ ...keys, prefix: 'in/' }) });
    const problem = expectProblem(answer, 400, 'AUTOMATION_INVALID');
    expect(pointers(problem)).to.deep.equal(['/destinations/0']);
    expect(problem.detail).to.include('Back → There → Back');
    const elsewhere = await on.create({ ...back, destinations: to({ ...keys, prefix: 'done/' }) });
    for (const one of [id, elsewhere.id]) await on.delete(`automations/${one}`);
    for (const one of [first, second]) await on.delete(`sources/${one}`);
    await on.delete(`integrations/${connectionId}`);
  });

  it('do not let an automation take its own results, whichever way its bucket is named', async () => {
    const connectionId = await connection();
    const { id: sourceId } = json<{ id: string }>(await source({ connectionId }));
    const body = Buffer.from(await makePdf({ pages: 1 }));
    s3.objects.clear();
    s3.objects.set('/bucket/a.pdf', { body, checksum: undefined, etag: '"a"' });
    const keys = { bucket: 'bucket', region: s3.region, endpoint: s3.url, accessKeyId: s3.accessKey };
    const options = { ...keys, secretAccessKey: s3.secretKey, pathStyle: true, prefix: 'out/' };
    const { id } = await on.create({
      name: 'Around',
      inputs: [{ source: sourceId }],
      destinations: [{ type: 's3', options }],
    });
    await on.post(`automations/${id}/trigger`);
    await until('the result is in the bucket', () => s3.objects.has('/bucket/out/a.pdf'));
    await on.post(`automations/${id}/trigger`);
    await until('the result is known', async () =>
      (await on.files(id)).some(({ reason }) => reason?.code === 'OWN_OUTPUT'),
    );
    await on.delete(`automations/${id}`);
    await on.delete(`sources/${sourceId}`);
    await on.delete(`integrations/${connectionId}`);
  });

  it('are tried when they are saved, unless they are disabled', async () => {
    const config = {
      bucket: 'bucket',
      region: s3.region,
      endpoint: s3.url,
      accessKeyId: s3.accessKey,
      secretAccessKey: s3.secretKey,
    };
    const body = (more: object) => ({ integrationType: 'S3', name: 'Tried', config: { ...config, ...more } });
    const refused = (answer: Answer): readonly string[] => {
      const problem = expectProblem(answer, 400, 'INPUT_INVALID');
      expect(JSON.stringify(problem)).to.not.include('canary');
      return pointers(problem);
    };
    const before = json<object[]>(await on.get('integrations')).length;
    const post = (more: object) => on.send('integrations', body(more));
    expect(refused(await post({ secretAccessKey: 'canary' }))).to.deep.equal(['/config/accessKeyId']);
    expect(refused(await post({ endpoint: 'http://127.0.0.1:9' }))).to.deep.equal(['/config/endpoint']);
    expect(refused(await post({ bucket: undefined, secretAccessKey: undefined }))).to.deep.equal([
      '/config/bucket',
      '/config/secretAccessKey',
    ]);
    s3.failWith = 404;
    expect(refused(await post({}))).to.deep.equal(['/config/bucket']);
    s3.failWith = undefined;
    expect(json<object[]>(await on.get('integrations'))).to.have.length(before);
    // Nothing is promised of a disabled one, and it is tried when it is enabled.
    const off = await on.send('integrations', { ...body({ secretAccessKey: 'canary' }), enabled: false });
    expect(off.status, off.body.toString()).to.equal(200);
    const { id } = json<{ id: number }>(off);
    const put = (change: object) => on.send(`integrations/${id}`, change, 'PUT');
    expect(refused(await put({ enabled: true }))).to.deep.equal(['/config/accessKeyId']);
    expect((await put({ enabled: true, config })).status).to.equal(200);
    expect(refused(await put({ config: { ...config, region: 'eu-other-1' } }))).to.deep.equal(['/config/region']);
    s3.failWith = 500;
    expect((await put({ name: 'Renamed' })).status).to.equal(200);
    expect(refused(await put({ config }))).to.deep.equal(['/config/endpoint']);
    s3.failWith = undefined;
    // What a key may do can depend on the prefix, which only sources and destinations have.
    s3.denies = true;
    expect((await put({ config })).status).to.equal(200);
    s3.denies = false;
    expect((await on.delete(`integrations/${id}`)).status).to.equal(204);
  });

  it('say of an automation what keeps its connection from being used since', async () => {
    const connectionId = await connection();
    const { id: sourceId } = json<{ id: string }>(await source({ connectionId }));
    const { id } = await on.create({ name: 'Cut off', inputs: [{ source: sourceId }] });
    await on.send(`integrations/${connectionId}`, { enabled: false }, 'PUT');
    await on.post(`automations/${id}/trigger`);
    const { problems } = json<{ problems: { code: string; detail: string }[] }>(await on.get(`automations/${id}`));
    expect(problems.map(({ code }) => code)).to.deep.equal(['SOURCE_INVALID']);
    expect(problems[0]?.detail).to.include('is disabled');
    await on.delete(`automations/${id}`);
    await on.delete(`sources/${sourceId}`);
  });

  it('that steps of saved pipelines and automations name are not deleted', async () => {
    const api = { baseUrl: 'http://127.0.0.1:9', authType: 'NONE' };
    const made = await on.send('integrations', { integrationType: 'API', name: 'Api', config: api });
    const { id } = json<{ id: number }>(made);
    const step = { operation: '/api/v1/integration/external-api-call', parameters: { connectionId: id } };
    const pipeline = { name: 'calls', title: 'Calls', definition: { pipeline: [step] } };
    expect((await on.send('pipelines', pipeline)).status).to.equal(201);
    const inUse = expectProblem(await on.delete(`integrations/${id}`), 409, 'CONNECTION_IN_USE');
    expect(inUse.detail).to.include('the saved pipeline "calls"');
    await on.delete('pipelines/calls');
    expect((await on.delete(`integrations/${id}`)).status).to.equal(204);
  });
});
