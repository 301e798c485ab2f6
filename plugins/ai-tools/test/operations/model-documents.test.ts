import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createTestServer } from '@quire/core';
import { type OperationAnswer, callOperation } from '@quire/plugin-kit';
import { asDict, asName, asNumber, asText, entry, readNumberTree } from '@quire/document/file/objects';
import { withDocument } from '@quire/document/engines/pdfium';
import { renderPage } from '@quire/document/engines/rendering';
import { expect } from 'chai';
import { PDFArray, type PDFDict, PDFDocument, PDFName } from 'pdf-lib';
import { fails, refuses, says, sends, slowly, stays } from '../../../../test/fixtures/model-server.js';
import { vocabulary } from '../../src/functions/classify/vocabulary.js';
import { fixture, modelHost } from '../model-host.js';

interface Note {
  readonly rect: readonly number[];
  readonly text: string | undefined;
  readonly dict: PDFDict;
}

async function notesOf(bytes: Uint8Array, page: number): Promise<Note[]> {
  const document = await PDFDocument.load(bytes);
  const list = document.getPage(page).node.Annots()?.asArray() ?? [];
  return list
    .map((item) => document.context.lookup(item) as PDFDict)
    .filter((dict) => String(dict.get(PDFName.of('Subtype'))) === '/Text')
    .map((dict) => ({
      rect: dict.lookup(PDFName.of('Rect'), PDFArray).asArray().map(Number),
      text: asText(document.context, dict.get(PDFName.of('Contents'))),
      dict,
    }));
}

/** The pixels of a page as it is shown, one a point. */
function pixelsOf(
  bytes: Uint8Array,
  page: number,
  annotations: boolean,
): Promise<{ width: number; height: number; data: Uint8Array }> {
  return withDocument(bytes, {}, (document) => {
    const { width, height } = document.pageGeometry(page);
    const size = { width: Math.round(width), height: Math.round(height) };
    return { ...size, data: renderPage(document, page, { ...size, annotations }) };
  });
}

/**
 * The box of what notes change on a page, from its upper left corner, and whether they change a pixel that was dark.
 */
async function inkOfNotes(
  bytes: Uint8Array,
  page: number,
): Promise<{ left: number; top: number; right: number; bottom: number; covers: boolean }> {
  const [without, { width, height, data }] = [await pixelsOf(bytes, page, false), await pixelsOf(bytes, page, true)];
  const box = { left: Infinity, top: Infinity, right: -1, bottom: -1, covers: false };
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const at = (y * width + x) * 4;
      if ([0, 1, 2].every((i) => data[at + i] === without.data[at + i])) continue;
      Object.assign(box, {
        left: Math.min(box.left, x),
        top: Math.min(box.top, y),
        right: Math.max(box.right, x),
        bottom: Math.max(box.bottom, y),
        covers: box.covers || without.data[at]! < 128,
      });
    }
  }
  return box;
}

describe('documents that a model has read', function () {
  this.timeout(60_000);
  const host = modelHost();
  const folder = mkdtempSync(join(tmpdir(), 'quire-model-'));
  after(() => rmSync(folder, { recursive: true, force: true }));
  const checked = (answer: OperationAnswer): Uint8Array => {
    expect(answer.status, new TextDecoder().decode(answer.bytes.subarray(0, 600))).to.equal(200);
    const path = join(folder, 'result.pdf');
    writeFileSync(path, answer.bytes);
    execFileSync('qpdf', ['--check', path], { stdio: 'ignore' });
    return answer.bytes;
  };
  const report = ({ headers }: OperationAnswer): Record<string, unknown> =>
    JSON.parse(headers.get('x-tool-report') ?? 'null') as Record<string, unknown>;

  describe('sticky notes', () => {
    const comment = async (
      comments: readonly object[],
      name = 'letter.pdf',
      rationale = 'I looked for amounts.',
    ): Promise<OperationAnswer> => {
      host.model.script(says({ comments, rationale }));
      return host.call('ai/tools/pdf-comment-agent', [await fixture(name)], { prompt: ' Point out amounts. ' });
    };

    it('stand before the line where the quoted words begin, whatever their case, line ends and hyphens', async () => {
      const answer = await comment([
        { page: 1, quote: 'WORKSHOP will be 1,250.00  EUR', comment: 'A rise.\nReally?' },
        { page: 1, quote: '“cannot be ended by the tenant before”', comment: 'Unusual' },
      ]);
      const bytes = checked(answer);
      expect(answer.fileName).to.equal('letter-commented.pdf');
      expect(report(answer)).to.deep.equal({
        annotationsApplied: 2,
        instructionsReceived: 2,
        rationale: 'I looked for amounts.',
      });
      const [rise, unusual] = await notesOf(bytes, 0);
      expect([rise?.text, unusual?.text]).to.deep.equal(['A rise.\nReally?', 'Unusual']);
      expect(rise!.rect[2]).to.be.within(40, 48);
      expect(rise!.rect[3]).to.be.closeTo(489, 2);
      expect(unusual!.rect[3]).to.be.closeTo(409, 2);
      expect(asText(rise!.dict.context, entry(rise!.dict, 'NM'))).to.match(/^[0-9a-f-]{36}$/);
      expect((await inkOfNotes(bytes, 0)).covers, 'covers text').to.equal(false);
    });

    it('are placed on rotated and cropped pages, and on the page that has the words', async () => {
      const bytes = checked(await comment([{ page: 1, quote: 'heating costs', comment: 'By area?' }]));
      expect(await notesOf(bytes, 0)).to.have.length(0);
      const { left, right, top, bottom, covers } = await inkOfNotes(bytes, 1);
      expect([right - left, bottom - top].every((size) => size > 12 && size <= 20)).to.equal(true);
      // The line begins at (70, 289) of the page as it is shown.
      expect(right).to.be.within(60, 70);
      expect(top).to.be.within(265, 285);
      expect(covers).to.equal(false);
    });

    it('stand apart in the margin when their words are nowhere, and side by side before one line', async () => {
      const bytes = checked(
        await comment([
          { page: 1, quote: 'nobody wrote this', comment: 'a' },
          { page: 1, quote: '', comment: 'b' },
          { page: 99, quote: 'nor this', comment: 'c' },
          { page: 2, quote: 'or this', comment: 'd' },
          { page: 1, quote: 'six monthly rents', comment: 'e' },
          { page: 1, quote: 'the deposit is', comment: 'f' },
        ]),
      );
      const notes = await notesOf(bytes, 0);
      expect(notes.map(({ text }) => text)).to.deep.equal(['a', 'b', 'c', 'e', 'f']);
      for (const { rect } of notes.slice(0, 3)) expect(rect[0]).to.be.closeTo(396, 0.1);
      expect(notes.slice(0, 3).map(({ rect }) => rect[3])).to.deep.equal([591, 567, 543]);
      const overlapping = notes.filter((one, i) =>
        notes.some(
          (other, j) =>
            j > i &&
            one.rect[0]! < other.rect[2]! &&
            other.rect[0]! < one.rect[2]! &&
            one.rect[1]! < other.rect[3]! &&
            other.rect[1]! < one.rect[3]!,
        ),
      );
      expect(overlapping).to.deep.equal([]);
      // Below the line that a hyphen joins it to.
      expect(notes.slice(3).map(({ rect }) => Math.round(rect[3]!))).to.deep.equal([391, 391]);
      expect((await inkOfNotes(bytes, 1)).right).to.be.within(530, 540);
    });

    it('have their place in the structure of a tagged document', async () => {
      const made = await host.call('ai/tools/create-pdf-from-html-agent', [], {
        document: '{"title":"Plan","sections":[{"body":"We go on Monday."}]}',
        filename: 'plan.pdf',
      });
      host.model.script(says({ comments: [{ page: 1, quote: 'on Monday', comment: 'Which one?' }], rationale: '' }));
      const bytes = checked(
        await host.call('ai/tools/pdf-comment-agent', [{ name: 'plan.pdf', bytes: made.bytes }], { prompt: 'x' }),
      );
      const [note] = await notesOf(bytes, 0);
      const { context } = note!.dict;
      const tree = asDict(context, entry((await PDFDocument.load(bytes)).catalog, 'StructTreeRoot'))!;
      const key = asNumber(context, entry(note!.dict, 'StructParent'));
      const element = asDict(
        context,
        readNumberTree(context, entry(tree, 'ParentTree')).find(([number]) => number === key)?.[1],
      );
      expect(asName(context, entry(element!, 'S'))).to.equal('Annot');
    });

    it('are asked for with the text marked by pages, in portions where it is long', async () => {
      await comment([]);
      const { messages } = host.model.requests[0]!;
      expect(messages[0]!.content)
        .to.contain('The request: Point out amounts.')
        .and.not.contain('rent of the workshop');
      expect(messages.at(-1)!.content).to.match(/\[page 1\]\nDear Ms Lovelace,[^]*\[page 2\]\nEnclosure/);
      const small = await createTestServer({
        plugins: ['@quire/plugin-ai-tools'],
        settings: { ...host.model.settings, 'aiEngine.limits.maxPages': 1 },
      });
      try {
        host.model.script(
          says({ comments: [{ page: 1, quote: 'Dear', comment: 'x' }], rationale: '' }),
          says({ comments: [{ page: 2, quote: 'Enclosure', comment: 'y' }], rationale: '' }),
        );
        const answer = await callOperation(await small.start(), {
          path: 'ai/tools/pdf-comment-agent',
          files: [await fixture('letter.pdf')],
          params: { prompt: 'x' },
        });
        expect(report(answer)).to.deep.equal({ annotationsApplied: 2, instructionsReceived: 2 });
        expect(
          host.model.requests.map(({ messages: sent }) => /\[page \d\]/g.exec(sent.at(-1)!.content)?.[0]),
        ).to.deep.equal(['[page 1]', '[page 2]']);
      } finally {
        await small.stop();
      }
    });

    it('leave the document as it was behind the changes', async () => {
      const { bytes: before } = await fixture('letter.pdf');
      const after = checked(await comment([{ page: 1, quote: 'Dear', comment: 'x' }]));
      expect(Buffer.from(after.subarray(0, before.length)).equals(Buffer.from(before))).to.equal(true);
    });

    it('are refused for a document without text, and for a wrong prompt', async () => {
      const refusal = async (name: string, params: Record<string, unknown>): Promise<unknown[]> => {
        const answer = await host.call('ai/tools/pdf-comment-agent', [await fixture(name)], params);
        return [answer.status, answer.code];
      };
      expect(await refusal('no-text.pdf', { prompt: 'x' })).to.deep.equal([400, 'PDF_WITHOUT_TEXT']);
      expect(await refusal('header-only.pdf', { prompt: 'x' })).to.deep.equal([400, 'PDF_DAMAGED']);
      for (const prompt of [undefined, '   ', 'x'.repeat(4001)])
        expect(await refusal('letter.pdf', { prompt })).to.deep.equal([400, 'INPUT_INVALID']);
      const large = await host.call(
        'ai/tools/pdf-comment-agent',
        [
          {
            name: 'a.pdf',
            bytes: Buffer.concat([(await fixture('letter.pdf')).bytes, Buffer.alloc(50 * 1024 * 1024)]),
          },
        ],
        { prompt: 'x' },
      );
      expect(large.status).to.equal(413);
    });
  });

  describe('labels', () => {
    const label = async (answer: object, name = 'letter.pdf'): Promise<OperationAnswer> => {
      host.model.script(says(answer));
      return host.call('ai/tools/classify-and-label', [await fixture(name)]);
    };

    it('stand in the document as JSON, under the name that it had', async () => {
      const answer = await label({ id: 'lease', confidence: 1.7 });
      const info = (await PDFDocument.load(checked(answer), { updateMetadata: false })).context;
      const stored = asText(info, entry(asDict(info, info.trailerInfo.Info)!, 'Classification'));
      expect(JSON.parse(stored!)).to.deep.equal({ id: 'lease', name: 'Lease or rental agreement', confidence: 1 });
      expect(answer.fileName).to.equal('letter.pdf');
      expect(report(answer)).to.deep.equal({
        labelled: true,
        id: 'lease',
        name: 'Lease or rental agreement',
        confidence: 1,
      });
    });

    it('are of a fixed list that the model chooses from', async () => {
      expect(vocabulary).to.have.length.within(40, 60);
      expect(new Set(vocabulary.map(({ id }) => id)).size).to.equal(vocabulary.length);
      host.model.script(says({ id: 'made up', confidence: 1 }));
      expect((await host.call('ai/tools/classify-and-label', [await fixture('letter.pdf')])).status).to.equal(502);
    });

    it('are made of the first two and the last two pages', async () => {
      const document = await PDFDocument.create();
      for (let i = 1; i <= 7; i++)
        document.addPage([200, 200]).drawText(`sheet ${'abcdefg'[i - 1]}`, { x: 20, y: 100 });
      host.model.script(says({ id: 'book', confidence: 0.5 }));
      checked(await host.call('ai/tools/classify-and-label', [{ name: 'seven.pdf', bytes: await document.save() }]));
      expect(
        [...host.model.requests[0]!.messages.at(-1)!.content.matchAll(/\[page \d\]\nsheet ./g)].map(([found]) => found),
      ).to.deep.equal(['[page 1]\nsheet a', '[page 2]\nsheet b', '[page 6]\nsheet f', '[page 7]\nsheet g']);
    });

    it('are left out if there is no text to decide by', async () => {
      const answer = await label({ id: 'lease', confidence: 1 }, 'no-text.pdf');
      expect(Buffer.from(answer.bytes).equals(Buffer.from((await fixture('no-text.pdf')).bytes))).to.equal(true);
      expect(report(answer)).to.deep.equal({ labelled: false });
      expect(host.model.requests).to.have.length(0);
    });
  });

  it('are refused honestly when the model refuses, talks, breaks off or fails', async () => {
    const cases = [
      [refuses(), 502],
      [says('Sure, here you are!'), 502],
      [says('{"comments": [{"page": 1'), 502],
      [says({ comments: 'none' }), 502],
      [sends('<html>'), 502],
      [fails(500), 502],
    ] as const;
    for (const [reply, status] of cases) {
      host.model.script(reply);
      for (const [path, params] of [
        ['pdf-comment-agent', { prompt: 'x' }],
        ['classify-and-label', {}],
      ] as const) {
        const answer = await host.call(`ai/tools/${path}`, [await fixture('letter.pdf')], params);
        expect(answer.status, `${path}: ${new TextDecoder().decode(answer.bytes.subarray(0, 300))}`).to.equal(status);
      }
    }
    host.model.script(says('prose first'), says({ id: 'letter', confidence: 0.8 }));
    expect(
      (await host.call('ai/tools/classify-and-label', [await fixture('letter.pdf')])).status,
      'a second try',
    ).to.equal(200);
  });

  it('are not made while the tools are off, or their switch is, or the model is silent', async () => {
    const cases = [
      [{}, 503, /pdfComment[^]*aiEngine\.enabled/],
      [{ ...host.model.settings, 'aiEngine.features.pdfComment': false }, 503, /aiEngine\.features\.pdfComment/],
      [
        { ...host.model.settings, 'aiEngine.timeoutSeconds': 1, 'aiEngine.longRunningTimeoutSeconds': 1 },
        504,
        /did not answer/,
      ],
    ] as const;
    for (const [settings, status, detail] of cases) {
      host.model.script(slowly(10, stays()));
      const server = await createTestServer({ plugins: ['@quire/plugin-ai-tools'], settings });
      try {
        const answer = await callOperation(await server.start(), {
          path: 'ai/tools/pdf-comment-agent',
          files: [await fixture('letter.pdf')],
          params: { prompt: 'x' },
        });
        expect(answer.status).to.equal(status);
        expect(answer.json<{ detail: string }>().detail).to.match(detail);
      } finally {
        await server.stop();
      }
    }
  });
});
