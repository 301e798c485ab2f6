import { expect } from 'chai';
import { createHash } from 'node:crypto';
import { PDFDocument } from 'pdf-lib';
import { json } from '../../../../test/http/support/client.js';
import { sendJson } from '../../../../test/http/support/login.js';
import { Bench, pdf, problem, report, SECRET, type Fields } from './api-calls-bench.js';

const TITLE = 'Quarterly "report" – Müller & Co';

describe('external-api-call', function () {
  this.timeout(60_000);
  const bench = new Bench();

  describe('as it is sent', () => {
    it('is sent as a form to the address of the connection and returned unchanged', async () => {
      const answer = await bench.call({ path: 'inbox?kind=a//b' });
      expect([answer.status, answer.headers['content-type'], answer.headers['content-disposition']]).to.deep.equal([
        200,
        'application/pdf',
        'attachment; filename="report.pdf"; filename*=UTF-8\'\'report.pdf',
      ]);
      expect(answer.body.equals(pdf)).to.equal(true);
      expect(bench.last()).to.deep.include({ method: 'POST', url: '/api/inbox?kind=a//b' });
      expect(bench.last().headers).to.deep.include({
        authorization: `Bearer ${SECRET}`,
        'content-length': String(bench.last().body.length),
      });
      const form = await new Response(new Uint8Array(bench.last().body), {
        headers: { 'content-type': String(bench.last().headers['content-type']) },
      }).formData();
      const sent = form.get('file') as File;
      expect([[...form.keys()], sent.name, sent.type]).to.deep.equal([['file'], 'report.pdf', 'application/pdf']);
      expect(Buffer.from(await sent.arrayBuffer()).equals(pdf)).to.equal(true);
      expect(report(answer)).to.deep.equal({ status: 200, contentType: 'application/json', body: { ok: true } });
    });

    it('goes with fields and context, under another field name, by another method', async () => {
      await bench.call({
        method: 'PUT',
        fileFieldName: 'doc"ument',
        fields: { title: '{{document.title}}', n: 7, deep: { a: ['{{document.pageCount}}'] } },
        includeContext: true,
        headers: { 'X-Sum': '{{document.sha256}}', 'X-None': '{{run.policyName}}' },
      });
      const form = await new Response(new Uint8Array(bench.last().body), {
        headers: { 'content-type': String(bench.last().headers['content-type']) },
      }).formData();
      expect([
        bench.last().method,
        form.get('title'),
        form.get('n'),
        form.get('deep'),
        (form.get('doc"ument') as File | null)?.size,
      ]).to.deep.equal(['PUT', TITLE, '7', '{"a":["1"]}', pdf.length]);
      expect(bench.last().headers).to.deep.include({
        'x-sum': createHash('sha256').update(pdf).digest('hex'),
        'x-none': '',
      });
      const context = JSON.parse(String(form.get('context'))) as Record<string, Record<string, unknown>>;
      expect(Object.keys(context)).to.deep.equal(['document', 'classification', 'sensitivityLabel', 'run']);
      expect(context['document']).to.deep.include({
        filename: 'report.pdf',
        extension: 'pdf',
        contentType: 'application/pdf',
        sizeBytes: pdf.length,
        pageCount: 1,
        encrypted: false,
        title: TITLE,
        author: 'Ada Lovelace',
        subject: null,
        created: '2024-02-29T12:00:00Z',
      });
      expect(context['classification']).to.deep.equal({ label: { id: 'finance', name: 'Finance' }, confidence: 0.9 });
      expect(context['sensitivityLabel']).to.deep.equal({
        labelId: 'aaaaaaaa-0000-4000-8000-000000000007',
        name: 'Internal',
        siteId: '77777777-7777-4777-8777-777777777777',
        method: 'Standard',
        protected: true,
      });
    });

    it('goes as JSON, as a template, and as the body itself', async () => {
      await bench.call({
        bodyMode: 'json',
        fields: { a: [1, '{{document.author}}'], content: 'is overwritten' },
        includeContext: true,
      });
      expect(bench.last().headers['content-type']).to.equal('application/json');
      const body = JSON.parse(bench.last().body.toString()) as Record<string, unknown>;
      expect(body).to.deep.include({
        a: [1, 'Ada Lovelace'],
        filename: 'report.pdf',
        contentType: 'application/pdf',
        content: pdf.toString('base64'),
      });
      expect(body['sensitivityLabel']).to.be.an('object');
      await bench.call({ bodyMode: 'json', includeFile: false, fields: {} });
      expect(bench.last().body.toString()).to.equal('{}');
      await bench.call({
        bodyTemplate:
          '{"t": "a {{document.title}} z", "n": {{document.pageCount}}, "s": {{document.subject}}, "c": ' +
          '"{{classification.label.name}}/{{classification.none}}", "o": {"i": {}}, "d": ' +
          '"data:{{document.resolvedContentType}};base64,{{document.base64}}"}',
      });
      expect(JSON.parse(bench.last().body.toString())).to.deep.equal({
        t: `a ${TITLE} z`,
        n: 1,
        s: null,
        c: 'Finance/',
        o: { i: {} },
        d: `data:application/pdf;base64,${pdf.toString('base64')}`,
      });
      await bench.call({ bodyMode: 'binary', method: 'PATCH', headers: { 'Content-Type': 'application/x-own' } });
      expect([bench.last().method, bench.last().headers['content-type'], bench.last().body.equals(pdf)]).to.deep.equal([
        'PATCH',
        'application/x-own',
        true,
      ]);
    });

    it('encodes document values in the path and never leaves the address of the connection', async () => {
      expect((await bench.call({ path: '/d/{{document.title}}/{{document.filename}}' })).status).to.equal(200);
      expect(bench.last().url).to.equal(`/api/d/${encodeURIComponent(TITLE)}/report.pdf`);
      bench.remote.seen.length = 0;
      for (const path of [
        '../admin',
        'a/../../b',
        './x',
        '//evil.example.com/',
        'https://evil.example.com/',
        'a\\b',
        'a b',
        'a#b',
        'a%2e%2e/b',
        '%2E%2E/x',
        'a%2fb',
        'a\tb',
        'javascript:x',
      ])
        await bench.failed('INPUT_INVALID', 'path', { path });
      const dots = await bench.call({ path: 'x/{{document.filename}}/y', bodyMode: 'binary' }, {}, pdf, '..pdf');
      expect(dots.status, 'a name with dots does not lead to a parent folder').to.equal(200);
      const up = await PDFDocument.create();
      up.addPage();
      up.setTitle('..');
      expect(
        (await bench.call({ path: '{{document.title}}/{{document.title}}/admin' }, {}, await up.save())).status,
        'a title that is a way up',
      ).to.equal(400);
      bench.remote.seen.length = 0;
      await bench.failed('INPUT_INVALID', 'not known', { path: '{{document.secret}}' });
      expect(bench.remote.seen).to.deep.equal([]);
    });

    it('refuses headers that are not for callers to set, and values that would begin others', async () => {
      for (const name of [
        'Authorization',
        'HOST',
        'Content-Length',
        'transfer-encoding',
        'Connection',
        'Keep-Alive',
        'Upgrade',
        'Expect',
        'Proxy-Authorization',
        'X A',
        'X:A',
        'X\r\nEvil',
        '',
      ])
        await bench.failed('INPUT_INVALID', 'headers', { headers: { [name]: 'x' } });
      for (const value of ['a\r\nX-Evil: 1', 'a\nb', 'ü', '{{document.title}}', ' a', ['x']])
        await bench.failed('INPUT_INVALID', 'headers', { headers: { 'X-A': value } });
      await bench.failed('INPUT_INVALID', 'Content-Type', { headers: { 'Content-Type': 'text/plain' } });
      await bench.failed(
        'INPUT_INVALID',
        'by which the connection',
        { headers: { 'x-api-key': 'mine' } },
        { authType: 'HEADER', headerName: 'X-Api-Key' },
      );
      expect(bench.remote.seen).to.deep.equal([]);
      await bench.call({}, {}, pdf, 'a"; filename="evil.exe');
      expect(bench.last().body.toString('latin1')).to.match(/filename="a[^"\r\n]*"\r\n/);
    });

    for (const [title, params, named] of [
      ['a method that is none', { method: 'DELETE' }, 'method'],
      ['a mode that is none', { bodyMode: 'xml' }, 'bodyMode'],
      ['an answer mode that is none', { responseMode: 'drop' }, 'responseMode'],
      ['fields that are not JSON', { fields: '{a' }, 'fields'],
      ['fields that are a list', { fields: '[1]' }, 'fields'],
      ['fields of very many levels', { fields: `${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)}` }, 'fields'],
      ['headers of very many levels', { headers: `{"X-A":${'['.repeat(20_000)}${']'.repeat(20_000)}}` }, 'headers'],
      ['headers that are not an object', { headers: '"x"' }, 'headers'],
      ['a template that is not JSON', { bodyTemplate: '{"a": }' }, 'bodyTemplate'],
      ['an unknown placeholder in a template', { bodyTemplate: '{"a": "{{nope}}"}' }, 'bodyTemplate'],
      ['fields beside a bare body', { bodyMode: 'binary', fields: { a: 1 } }, 'fields'],
      ['a bare body without file', { bodyMode: 'binary', includeFile: 'false' }, 'includeFile'],
      ['a path of JSON that is none', { requireTrue: 'a..b' }, 'requireTrue'],
      ['a connection that is not a number', { connectionId: 'abc' }, 'connectionId'],
      ['no connection', { connectionId: '' }, 'connectionId'],
      ['a switch that is none', { includeContext: 'maybe' }, 'includeContext'],
    ] as const) {
      it(`refuses ${title}, naming it`, async () => {
        const answer = await bench.call(params as Fields);
        expect([answer.status, problem(answer).code], problem(answer).detail).to.deep.equal([400, 'INPUT_INVALID']);
        expect(problem(answer).detail).to.contain(named);
        expect(bench.remote.seen).to.deep.equal([]);
      });
    }

    it('refuses short templates that become very long ones', async () => {
      const { PDFDocument } = await import('pdf-lib');
      const document = await PDFDocument.load(pdf);
      document.setTitle('x'.repeat(4000));
      const long = await document.save();
      const many = (name: string, times: number): string => `{{document.${name}}}`.repeat(times);
      for (const params of [
        { fields: { a: many('base64', 9) } },
        { bodyMode: 'json', fields: { a: many('base64', 5), b: [many('base64', 4)] } },
        { bodyTemplate: `{"a":"${many('base64', 9)}"}` },
        { bodyTemplate: `{"a":"${many('title', 5000)}"}` },
        { fields: { a: many('title', 2500), b: many('title', 2500) } },
        { headers: { 'X-A': many('title', 5000) } },
      ]) {
        const answer = await bench.call(params, {}, long);
        expect([answer.status, problem(answer).code], JSON.stringify(params).slice(0, 80)).to.deep.equal([
          400,
          'INPUT_INVALID',
        ]);
      }
      expect(bench.remote.seen).to.deep.equal([]);
      expect((await bench.call({ fields: { a: many('base64', 8) } })).status).to.equal(200);
    });

    it('takes a document whose classification has very many levels for one without', async () => {
      const { PDFDocument, PDFName, PDFString } = await import('pdf-lib');
      const document = await PDFDocument.load(pdf);
      (
        document.context.lookup(document.context.trailerInfo.Info) as unknown as {
          set(key: object, value: object): void;
        }
      ).set(PDFName.of('Classification'), PDFString.of(`${'['.repeat(20_000)}${']'.repeat(20_000)}`));
      const answer = await bench.call(
        { includeContext: true, bodyMode: 'json', includeFile: false },
        {},
        await document.save(),
      );
      expect(answer.status, answer.body.toString()).to.equal(200);
      expect(JSON.parse(bench.last().body.toString())).to.deep.include({ classification: null });
    });

    it('takes files that are locked, damaged or no documents as they are', async () => {
      const damaged = Buffer.from('%PDF-1.7\nbroken');
      const answer = await bench.call({ includeContext: true }, {}, damaged, 'broken.pdf');
      expect([answer.status, answer.body.equals(damaged)]).to.deep.equal([200, true]);
      expect(
        (await bench.call({ bodyMode: 'binary' }, {}, Buffer.from('plain'), 'note.txt')).headers['content-type'],
      ).to.contain('text/plain');
    });

    it('says who calls in each way, and cannot use connections that are not for it', async () => {
      const basic = { authType: 'BASIC', username: 'änn', password: 'p:w' };
      await bench.call({}, basic);
      expect(bench.last().headers['authorization']).to.equal(`Basic ${Buffer.from('änn:p:w').toString('base64')}`);
      await bench.call(
        {},
        { authType: 'HEADER', headerName: 'X-Api-Key', headerPrefix: 'Key', headers: { 'X-Tenant': 't' } },
      );
      expect(bench.last().headers).to.deep.include({ 'x-api-key': `Key ${SECRET}`, 'x-tenant': 't' });
      await bench.call({}, { authType: 'NONE' });
      expect(bench.last().headers).not.to.have.property('authorization');
      const id = await bench.connect(basic);
      await sendJson(bench.server, `/api/v1/integrations/${id}`, { enabled: false }, {}, 'PUT');
      const off = problem(await bench.call({ connectionId: id }));
      expect([off.code, off.detail]).to.deep.equal([
        'CONNECTION_UNUSABLE',
        `"connectionId" cannot be used: the connection ${id} is disabled.`,
      ]);
      await bench.failed('CONNECTION_UNUSABLE', 'no connection 4711', { connectionId: 4711 });
      const mcp = json<{ id: number }>(
        await sendJson(bench.server, '/api/v1/integrations', { integrationType: 'MCP', name: 'x' }),
      ).id;
      await bench.failed('CONNECTION_UNUSABLE', 'takes API', { connectionId: mcp });
    });
  });
});
