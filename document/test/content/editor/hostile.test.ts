import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { PDFDocument, PDFName, PDFRawStream } from 'pdf-lib';
import { buildDocument, exportDocument, readJsonDocument } from '../../../content/editor/index.js';
import { contextBytes, withPdf } from '../../../file/open/index.js';
import { walkPages } from '../../../structure/pages/index.js';

const sample = new URL('../../../../plugins/convert/fixtures/editor-sample.pdf', import.meta.url).pathname;

/** Numbers that are the same every time (mulberry32). */
function numbersOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let value = Math.imul(state ^ (state >>> 15), 1 | state);
    value = (value + Math.imul(value ^ (value >>> 7), 61 | value)) ^ value;
    return ((value ^ (value >>> 14)) >>> 0) / 4294967296;
  };
}

describe('A hostile document as JSON', function hostile() {
  this.timeout(60_000);
  let folder: string;
  let original: string;

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'quire-editor-'));
    await withPdf({ path: sample }, {}, (opened) => exportDocument(opened, join(folder, 'sample.json')));
    original = readFileSync(join(folder, 'sample.json'), 'utf8');
  });
  after(() => rmSync(folder, { recursive: true, force: true }));

  const attempt = async (json: string): Promise<{ code: string; pointer: string | undefined } | undefined> => {
    try {
      contextBytes((await buildDocument(readJsonDocument(Buffer.from(json)))).context);
      return undefined;
    } catch (error) {
      const { code, errors } = error as { code?: string; errors?: readonly { pointer: string }[] };
      if (code === undefined) throw error;
      return { code, pointer: errors?.[0]?.pointer };
    }
  };

  it('is refused with a pointer for a value of a wrong type in any member', async () => {
    const told = JSON.parse(original) as Record<string, unknown>;
    const places: { readonly owner: Record<string, unknown>; readonly key: string; readonly pointer: string }[] = [];
    const walk = (value: unknown, pointer: string, depth: number): void => {
      if (typeof value !== 'object' || value === null || depth > 7) return;
      for (const [key, member] of Object.entries(value)) {
        places.push({ owner: value as Record<string, unknown>, key, pointer: `${pointer}/${key}` });
        walk(member, `${pointer}/${key}`, depth + 1);
      }
    };
    walk({ ...told, sharedObjects: undefined, documentCatalog: undefined }, '', 0);
    walk(told['pages'], '/pages', 0);
    const known = places.filter(
      ({ pointer }) =>
        !/rawData\/|cosDictionary\/|resources\/|acroForm\/|contentStreams\/\d+\/dictionary/.test(pointer) &&
        !/^\/(pages|fonts|formFields)$/.test(pointer),
    );
    const kinds = new Set<string>();
    for (const { owner, key, pointer } of known) {
      const kind = pointer.replaceAll(/\/\d+/g, '/n');
      if (kinds.has(kind) || pointer.split('/').length < 3) continue;
      kinds.add(kind);
      const own = owner[key];
      // Scalars stand where objects belong, objects where scalars do.
      owner[key] = typeof own === 'object' ? 'wrong' : { wrong: true };
      const refusal = await attempt(JSON.stringify(told));
      owner[key] = own;
      expect(refusal, pointer).to.deep.equal({ code: 'INPUT_INVALID', pointer });
    }
    expect(kinds.size).to.be.greaterThan(80);
  });

  it('ends with a code or a document, whatever is put in (seeded)', async () => {
    const random = numbersOf(20260101);
    const values: readonly unknown[] = [
      null,
      true,
      -1,
      0,
      1e300,
      1.5,
      '',
      'x',
      'AAAA',
      '====',
      [],
      [null],
      [1, 2, 3],
      {},
      { type: 'STREAM' },
      { type: 'ARRAY', items: [{ type: 'NULL' }] },
      { type: 'DICTIONARY', ref: '1 0' },
    ];
    const codes = new Map<string, number>();
    for (let round = 0; round < 120; round++) {
      const json = JSON.parse(original) as Record<string, unknown>;
      for (let change = 0; change < 3; change++) {
        let at: unknown = json;
        for (let step = 0; step < 12; step++) {
          const entries = Object.entries(at as object);
          if (entries.length === 0) break;
          const [key, member] = entries[Math.floor(random() * entries.length)]!;
          if (typeof member !== 'object' || member === null || random() < 0.2) {
            const owner = at as Record<string, unknown>;
            if (random() < 0.3) delete owner[key];
            else owner[key] = structuredClone(values[Math.floor(random() * values.length)]);
            break;
          }
          at = member;
        }
      }
      const refusal = await attempt(JSON.stringify(json));
      codes.set(refusal?.code ?? 'built', (codes.get(refusal?.code ?? 'built') ?? 0) + 1);
    }
    expect(
      [...codes.keys()].filter(
        (code) => !['built', 'INPUT_INVALID', 'IMAGE_UNREADABLE', 'INPUT_TOO_COMPLEX'].includes(code),
      ),
    ).to.deep.equal([]);
    expect(codes.get('built') ?? 0).to.be.greaterThan(5);
  });

  it('ends with a code or a document, wherever it is cut or garbled (seeded)', async () => {
    const random = numbersOf(7);
    const bytes = Buffer.from(original);
    for (let round = 0; round < 80; round++) {
      const copy = round % 2 === 0 ? bytes.subarray(0, Math.floor(random() * bytes.length)) : Buffer.from(bytes);
      if (round % 2 === 1)
        for (let i = 0; i < 4; i++) copy[Math.floor(random() * copy.length)] = Math.floor(random() * 256);
      const refusal = await attempt(copy.toString('latin1'));
      if (round % 2 === 0) expect(refusal?.code).to.equal('INPUT_INVALID');
    }
  });

  it('is refused for nesting without end, and for numbers that are none', async () => {
    const nested = (depth: number): string =>
      `{"pages":[{"resources":${'{"type":"ARRAY","items":['.repeat(depth)}${']}'.repeat(depth)}}]}`;
    expect((await attempt(nested(100_000)))?.code).to.equal('INPUT_TOO_COMPLEX');
    expect(await attempt(nested(100))).to.equal(undefined);
    expect((await attempt('{"pages":[{"width":1e999}]}'))?.pointer).to.equal('/pages/0/width');
    expect((await attempt('{"pages":[{"width":-5}]}'))?.pointer).to.equal('/pages/0/width');
    expect((await attempt('{"pages":[{"textElements":[{"text":"a","textMatrix":[1,2]}]}]}'))?.pointer).to.equal(
      '/pages/0/textElements/0/textMatrix',
    );
    expect((await attempt('{"xmpMetadata":"no base64!"}'))?.pointer).to.equal('/xmpMetadata');
  });

  it('does not follow objects that name each other in a ring', async () => {
    const ring = {
      pages: [
        {
          resources: {
            type: 'DICTIONARY',
            ref: 'a',
            entries: { Me: { type: 'DICTIONARY', ref: 'a' }, You: { type: 'DICTIONARY', ref: 'b' } },
          },
        },
      ],
      sharedObjects: {
        b: {
          type: 'DICTIONARY',
          entries: {
            Back: { type: 'DICTIONARY', ref: 'a' },
            On: { type: 'DICTIONARY', ref: 'b' },
            Nobody: { type: 'STREAM', ref: 'c' },
          },
        },
      },
    };
    expect(await attempt(JSON.stringify(ring))).to.equal(undefined);
  });

  it('reports the content within its limits, whatever refers to whatever', async () => {
    const document = await PDFDocument.create();
    const { context } = document;
    // Each level has the one below it twice: written out, there were 2 to the power of 60 objects.
    let below = context.register(context.obj({ End: true }));
    for (let level = 0; level < 60; level++) below = context.register(context.obj({ One: below, Two: below }));
    for (let number = 0; number < 3; number++) {
      const page = document.addPage([100, 100]);
      const loop = context.nextRef();
      context.assign(loop, context.obj({ Me: loop, Page: page.ref }));
      page.node.set(PDFName.of('Resources'), context.obj({ Properties: { Tree: below, Loop: loop } }));
    }
    const path = join(folder, 'tree.json');
    await withPdf(await document.save(), {}, (opened) => exportDocument(opened, path));
    expect(readFileSync(path).length).to.be.lessThan(4_000_000);
    expect(await attempt(readFileSync(path, 'utf8'))).to.equal(undefined);
  });

  it('is written page by page, thousands of pages and ten thousand texts on one of them', async () => {
    const document = await PDFDocument.create();
    const font = document.context.register(
      document.context.obj({ Type: 'Font', Subtype: 'Type1', BaseFont: 'Helvetica' }),
    );
    const few = document.context.register(
      PDFRawStream.of(document.context.obj({}), Buffer.from('BT /F 12 Tf 10 10 Td (Page) Tj ET')),
    );
    const many = document.context.register(
      PDFRawStream.of(
        document.context.obj({}),
        Buffer.from(
          'BT /F 2 Tf ' +
            `${Array.from({ length: 10_000 }, (_none, i) => `1 0 0 1 ${i % 100} ${Math.floor(i / 100)} Tm (t${i}) Tj`).join('\n')}` +
            ' ET',
        ),
      ),
    );
    for (let number = 0; number < 2000; number++) {
      const page = document.addPage([100, 100]);
      page.node.set(PDFName.of('Resources'), document.context.obj({ Font: { F: font } }));
      page.node.set(PDFName.of('Contents'), number === 1000 ? many : few);
    }
    const path = join(folder, 'many.json');
    await withPdf(await document.save(), {}, (opened) => exportDocument(opened, path));
    const json = readJsonDocument(readFileSync(path));
    expect([
      json.pageCount,
      json.page(1000).textElements?.length,
      json.fonts.length,
      json.page(1999).textElements?.[0]?.text,
    ]).to.deep.equal([2000, 10_000, 1, 'Page']);
    const built = await buildDocument(json);
    expect(walkPages(built.context)).to.have.length(2000);
  });
});
