import { createTestServer } from '@quire/core';
import { type FormFile, makePdf } from '@quire/plugin-kit';
import { expect } from 'chai';
import Joi from 'joi';
import { createHash } from 'node:crypto';
import { PDFDocument } from 'pdf-lib';
import {
  fails,
  hangsUp,
  type ModelReply,
  refuses,
  says,
  saysOf,
  stays,
} from '../../../../test/fixtures/model-server.js';
import { documentSchema } from '../../src/operations/document-fields.js';
import { fixture, modelHost } from '../model-host.js';
import { answers, api, type Answer, form, intent, plan, requestsTo } from './orchestrate-requests.js';

describe('requests in words, their answers', function () {
  this.timeout(60_000);
  const host = modelHost(['@quire/plugin-ai-tools', '@quire/plugin-general', '@quire/plugin-misc']);

  const { post, ask } = requestsTo(host);

  describe('for something new', () => {
    const section = {
      type: 'paragraph',
      heading: 'Offer',
      body: 'Dear reader',
      pairs: [{ name: 'Valid until', value: '[date]' }],
      columns: ['Item', 'Price'],
      rows: [['Paper', '12.50']],
      totalRow: ['Total', '12.50'],
      items: [],
      signatories: ['Ada'],
    };

    it('are a text, of the documents where there are some', async () => {
      const text = await ask(
        'Write a reply',
        [await fixture('letter.pdf')],
        [intent('draft'), says({ content: ' Dear Ms Lovelace\n\nThank you. ', summary: 'A reply.' })],
      );
      expect([text.outcome, text.content]).to.deep.equal(['draft', 'Dear Ms Lovelace\n\nThank you.']);
      expect(host.model.requests[1]!.messages.at(-1)!.content).to.contain('1,250.00 EUR');
      expect((await ask('Write nothing', [], [intent('draft'), says({ content: ' ', summary: '' })])).outcome).to.equal(
        'cannot_do',
      );
    });

    it('are a call of the tool that lays it out', async () => {
      const empty = {
        type: '',
        heading: '',
        body: '',
        pairs: [],
        columns: [],
        rows: [],
        totalRow: [],
        items: [],
        signatories: [],
      };
      const made = await ask(
        'Make an offer',
        [],
        [
          intent('create'),
          says({
            title: 'Offer 17/a',
            subtitle: '',
            referenceNumber: '17',
            sections: [section, empty, { ...empty, type: 'page_break' }],
          }),
        ],
      );
      expect([made.outcome, made.filename, made.tool]).to.deep.equal([
        'generate_file',
        'Offer-17-a.pdf',
        `${api}ai/tools/create-pdf-from-html-agent`,
      ]);
      expect(made.parameters).to.deep.equal({ document: made.content, filename: made.filename });
      const document = JSON.parse(made.content!) as object;
      expect(document).to.deep.equal({
        title: 'Offer 17/a',
        referenceNumber: '17',
        sections: [
          {
            type: 'paragraph',
            heading: 'Offer',
            body: 'Dear reader',
            pairs: [['Valid until', '[date]']],
            columns: ['Item', 'Price'],
            rows: [['Paper', '12.50']],
            totalRow: ['Total', '12.50'],
            signatories: ['Ada'],
          },
          { type: 'page_break' },
        ],
      });
      expect(documentSchema(Joi).validate(document).error, 'the tool takes it').to.equal(undefined);
    });
  });

  describe('about more than one question may hold', () => {
    let small: Awaited<ReturnType<typeof createTestServer>>;
    let roads: FormFile;
    before(async () => {
      small = await createTestServer({
        plugins: ['@quire/plugin-ai-tools', '@quire/plugin-docparse'],
        settings: { ...host.model.settings, 'aiEngine.limits.maxPages': 3, 'aiEngine.features.chat': false },
      });
      await small.start();
      const document = await PDFDocument.create();
      for (let i = 1; i <= 30; i++)
        document
          .addPage([400, 200])
          .drawText(
            i === 23
              ? 'The zebra crossing is painted blue'
              : i === 9
                ? 'Nobody paints the fence'
                : `Filler text of sheet ${i} on roads`,
            { x: 20, y: 100, size: 12 },
          );
      roads = { name: 'roads.pdf', bytes: await document.save() };
    });
    after(() => small.stop());
    const asked = async (
      question: string,
      files: readonly FormFile[],
      ...script: readonly [ModelReply, ...ModelReply[]]
    ): Promise<Answer> => {
      host.model.script(...script);
      return (await (await post(form(question, files), 'orchestrate', small.url)).json()) as Answer;
    };
    const nothing = says({ found: false, answer: '', evidence: [] });

    it('are asked with the pages that fit', async () => {
      const answer = await asked(
        'Which colour has the zebra crossing?',
        [roads],
        answers('Blue.', [23, 'zebra crossing is painted blue']),
      );
      expect([answer.outcome, answer.report, answer.maxPages]).to.deep.equal(['answer', { pagesRead: 3 }, 3]);
      expect(host.model.requests, 'with chat off nobody is asked what is wanted').to.have.length(1);
      const shown = [...host.model.requests[0]!.messages.at(-1)!.content.matchAll(/page (\d+)\]/g)].map(([, page]) =>
        Number(page),
      );
      expect(shown).to.have.length(3).and.to.include(23);
    });

    it(
      'ask for documents to be indexed that fit one by one and not together, and are answered from the index ' +
        'then, with them and without',
      async () => {
        const sheets = await Promise.all(
          ['Nobody paints the fence', 'Somebody mows the lawn'].map(async (text, i) => ({
            name: `sheet-${i}.pdf`,
            bytes: await makePdf({ pages: 2, text }),
          })),
        );
        const wanted = await asked('Who paints the fence?', [...sheets, roads], nothing);
        const ids = sheets.map(({ bytes }) => createHash('sha256').update(bytes).digest('hex'));
        expect([wanted.outcome, wanted.tool, wanted.resumeWith]).to.deep.equal([
          'need_ingest',
          `${api}docparse/ingest`,
          `${api}ai/orchestrate`,
        ]);
        expect(wanted.filesToIngest, 'of the long one no more would be kept than a question holds').to.deep.equal([
          { id: ids[0], name: 'sheet-0.pdf' },
          { id: ids[1], name: 'sheet-1.pdf' },
        ]);
        for (const { name, bytes } of sheets) {
          const ingest = new FormData();
          ingest.append('fileInput', new Blob([Uint8Array.from(bytes)]), name);
          for (const [field, value] of Object.entries(wanted.parameters ?? {})) ingest.append(field, String(value));
          expect((await fetch(`${small.url}${wanted.tool}`, { method: 'POST', body: ingest })).status).to.equal(200);
        }
        const passage = saysOf(({ messages }) => ({
          found: true,
          answer: 'Nobody.',
          evidence: [
            {
              file: Number(
                /\[passage (\d+), page 1 of sheet-0\.pdf\]\n(?:(?!\[passage)[^])*Nobody paints/.exec(
                  messages.at(-1)!.content,
                )?.[1],
              ),
              page: 1,
              quote: 'Nobody paints the fence',
            },
            { file: 1, page: 1, quote: 'The fence is red' },
          ],
        }));
        const withThem = await asked('Who paints the fence?', [...sheets, roads], nothing, passage);
        expect([withThem.outcome, withThem.answer, withThem.evidence]).to.deep.equal([
          'answer',
          'Nobody.',
          [{ pageNumber: 1, text: 'Nobody paints the fence', fileName: 'sheet-0.pdf' }],
        ]);
        const without = await asked('Who paints the fence?', [], passage);
        expect([without.outcome, host.model.requests.length]).to.deep.equal(['answer', 1]);
        expect(
          (await asked('Who paints the fence?', [], answers('The king.', [1, 'The king paints it']))).outcome,
          'text that is in no passage is not an answer',
        ).to.equal('need_content');
        expect(
          (await asked('Qwertz?', [...sheets, roads], nothing)).outcome,
          'they are indexed: nothing more is asked for',
        ).to.equal('not_found');
        expect((await asked('Qwertz?', [roads], nothing)).outcome).to.equal('not_found');
      },
    );
  });

  describe('as events', () => {
    async function events(
      body: FormData,
      url = host.url,
    ): Promise<{ status: number; events: { event: string; data: Record<string, unknown> }[] }> {
      const answer = await post(body, 'orchestrate/stream', url);
      const text = await answer.text();
      return {
        status: answer.status,
        events:
          answer.status !== 200
            ? []
            : text
                .split('\n\n')
                .filter((part) => part !== '')
                .map((part) => ({
                  event: /^event: (.*)$/m.exec(part)![1]!,
                  data: JSON.parse(/^data: (.*)$/m.exec(part)![1]!) as Record<string, unknown>,
                })),
      };
    }

    it('report the phases and end with the result', async () => {
      host.model.script(intent('plan', [`${api}general/rotate-pdf`]), plan(['general/rotate-pdf']));
      const { events: told } = await events(form('Turn it', [await fixture('letter.pdf')]));
      const phases = told.filter(({ event }) => event === 'progress');
      expect(phases.map(({ data }) => data['phase'])).to.include.members(['analyzing', 'calling_engine', 'processing']);
      for (const { data } of phases) expect(data['timestamp']).to.be.a('number');
      for (const { data } of phases.filter((one) => one.data['phase'] === 'executing_tool'))
        expect(data).to.include({ tool: `${api}general/rotate-pdf`, stepIndex: 0, stepCount: 1 });
      expect(told.at(-1)).to.have.property('event', 'result');
      expect(told.at(-1)!.data).to.include({ outcome: 'completed' });
      host.model.script(intent('answer'), answers('x', [1, 'Dear Ms Lovelace']));
      const second = await events(form('What?', [await fixture('letter.pdf')]));
      expect(second.events.map(({ data }) => data['phase'])).to.deep.equal([
        'analyzing',
        'calling_engine',
        'extracting_content',
        'calling_engine',
        'processing',
        undefined,
      ]);
    });

    it('report a failure as an event and close; a wrong request gets a separate answer', async () => {
      host.model.script(refuses());
      const { status, events: told } = await events(form('What?', []));
      expect([status, told.at(-1)!.event]).to.deep.equal([200, 'error']);
      expect(told.at(-1)!.data['message']).to.be.a('string').that.is.not.empty;
      expect((await events(form('  ', []))).status).to.equal(400);
    });
  });

  it('are refused when they are wrong, naming the field', async () => {
    const letter = await fixture('letter.pdf');
    const cases: readonly (readonly [FormData, number, string])[] = [
      [form(' ', []), 400, '/userMessage'],
      [form(undefined, [letter]), 400, '/userMessage'],
      [
        form('x', [], { 'conversationHistory[0].role': 'system', 'conversationHistory[0].content': 'y' }),
        400,
        '/conversationHistory[0].role',
      ],
      [form('x', [{ name: 'a.pdf', bytes: Buffer.from('\x89PNG\r\n\x1a\n0000IHDR', 'latin1') }]), 415, ''],
      [form('x', [{ name: 'a.pdf', bytes: Buffer.concat([letter.bytes, Buffer.alloc(50 * 1024 * 1024)]) }]), 413, ''],
    ];
    for (const [body, status, pointer] of cases) {
      const answer = await post(body);
      expect(answer.status).to.equal(status);
      const problem = (await answer.json()) as { errors?: { pointer: string }[] };
      if (pointer !== '') expect(problem.errors?.map((fault) => fault.pointer)).to.deep.equal([pointer]);
    }
    host.model.script(intent('answer'));
    expect((await post(form('x', [await fixture('header-only.pdf')]))).status).to.equal(400);
  });

  it('fail honestly with the model', async () => {
    for (const [reply, status] of [
      [refuses(), 502],
      [says('prose'), 502],
      [says('{"intent": "ans'), 502],
      [fails(500), 502],
      [hangsUp(), 503],
    ] as const) {
      host.model.script(reply);
      const answer = await post(form('x', []));
      expect(answer.status, await answer.text()).to.be.oneOf([status, 502, 503]);
    }
  });

  it('end when the client goes', async () => {
    host.model.script(stays());
    const leaving = new AbortController();
    const answer = await fetch(`${host.url}${api}ai/orchestrate/stream`, {
      method: 'POST',
      body: form('x', []),
      signal: leaving.signal,
    });
    const reader = answer.body!.getReader();
    expect(new TextDecoder().decode((await reader.read()).value)).to.contain('analyzing');
    leaving.abort();
    expect((await fetch(`${host.url}${api}info/status`)).status).to.equal(200);
  });

  it('end with an error at the limit of streamed requests', async () => {
    const settings = { ...host.model.settings, 'aiEngine.streamTimeoutSeconds': 1 };
    const server = await createTestServer({ plugins: ['@quire/plugin-ai-tools'], settings });
    try {
      const url = await server.start();
      host.model.script(stays());
      const text = await (await post(form('x', []), 'orchestrate/stream', url)).text();
      expect(text).to.match(/event: error\ndata: .*stopped after the time limit of 1 seconds/);
    } finally {
      await server.stop();
    }
  });

  it('are refused while the tools or both their switches are off', async () => {
    for (const settings of [
      {},
      { ...host.model.settings, 'aiEngine.features.chat': false, 'aiEngine.features.documentQuestions': false },
    ]) {
      const server = await createTestServer({ plugins: ['@quire/plugin-ai-tools'], settings });
      try {
        const url = await server.start();
        for (const path of ['orchestrate', 'orchestrate/stream'])
          expect((await post(form('x', []), path, url)).status).to.equal(503);
      } finally {
        await server.stop();
      }
    }
  });
});
