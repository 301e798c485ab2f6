import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type IndexCaller, OperationalError, type QuireError, type TextEmbeddings } from '@quire/registry';
import { expect } from 'chai';
import type { Store } from '../../../../core/store/index.js';
import { describeStores, type TemporaryStore } from '../../../../test/suites/temporary-store.js';
import { searchTerms } from '../../src/services/search-terms.js';
import { StoredIndex } from '../../src/services/stored-index.js';

const ann: IndexCaller = { id: '1', name: 'ann' };
const bob: IndexCaller = { id: '2', name: 'bob' };
const none: TextEmbeddings = { model: undefined, embed: () => Promise.reject(new Error('nobody asks')) };
/** Knows three things by several words each. */
const things = [/boat|ship|vessel/gi, /bread|loaf/gi, /money|cost/gi];
const meaning = (model: string): TextEmbeddings => ({
  model,
  embed: async (texts) =>
    texts.map((text) => Float32Array.from(things.map((thing) => (text.match(thing) ?? []).length * 0.3))),
});
const log = { debug() {}, info() {}, warn() {}, error() {} };

describeStores('the index of documents', (make) => {
  let place: TemporaryStore;
  let store: Store;
  let folder: string;
  let index: StoredIndex;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'quire-index-'));
    place = await make();
    store = await place.open();
    index = open(none);
  });
  after(async () => {
    await store?.close();
    await place?.remove();
    await rm(folder, { recursive: true, force: true });
  });

  const open = (embeddings: TextEmbeddings): StoredIndex =>
    new StoredIndex({ store, clock: { now: () => new Date('2026-01-01T00:00:00Z') }, log, embeddings, most: 500_000 });
  let files = 0;
  const file = async (lines: readonly unknown[]): Promise<string> => {
    const path = join(folder, `${files++}.jsonl`);
    await writeFile(path, lines.map((line) => `${typeof line === 'string' ? line : JSON.stringify(line)}\n`).join(''));
    return path;
  };
  const chunk = (text: string, page = 1, headingPath: readonly string[] = []): object => ({
    text,
    pageStart: page,
    pageEnd: page,
    headingPath,
  });
  const put = async (documentId: string, lines: readonly unknown[], caller: IndexCaller): Promise<number | string> =>
    index
      .replace({ documentId, name: `${documentId}.pdf` }, await file(lines), caller)
      .catch((error: QuireError) => error.code);
  const found = async (query: string, caller: IndexCaller, more: object = {}): Promise<string[]> =>
    (await index.search({ query, topK: 10, ...more }, caller)).map(({ documentId, text }) => `${documentId}: ${text}`);
  const records = async (): Promise<number> =>
    await store.records<{ id: string; version: string }>('sheets', { keys: ['version'] }).count();

  it('keeps passages with characters that some readers take for ends of lines', async () => {
    const text = 'The lighthouse\u2028and its\u2029keeper\u0085stay.';
    expect(await put('coast', [chunk(text), chunk('Nothing else.', 2)], ann)).to.equal(2);
    expect(await found('lighthouse', ann)).to.deep.equal([`coast: ${text}`]);
    expect(await index.remove('coast', ann)).to.equal(true);
  });

  it('finds the passages that fit best, of the caller alone', async () => {
    expect(
      await put(
        'harbour',
        [
          chunk('The crane stood still in the harbour.'),
          chunk('Grain and timber.', 2, ['Costs of the crane']),
          chunk('Nothing of note.', 3),
        ],
        ann,
      ),
    ).to.equal(3);
    expect(
      await put(
        'village',
        [chunk('The mill has no crane but a wheel, a roof, a yard and many other things to look at.')],
        ann,
      ),
    ).to.equal(1);
    expect(await put('secret', [chunk('The crane of somebody else.')], bob)).to.equal(1);
    expect(await found('crane harbour', ann)).to.deep.equal([
      'harbour: The crane stood still in the harbour.',
      'harbour: Grain and timber.',
      'village: The mill has no crane but a wheel, a roof, a yard and many other things to look at.',
    ]);
    expect(await found('CRANE', bob)).to.deep.equal(['secret: The crane of somebody else.']);
    expect(await found('crane', ann, { documentId: 'village' })).to.have.length(1);
    expect(await found('crane', ann, { documentId: 'secret' })).to.deep.equal([]);
    expect(await found('crane', ann, { topK: 1 })).to.have.length(1);
    expect([await found('unheard', ann), await found('?!', ann)]).to.deep.equal([[], []]);
    const [hit] = await index.search({ query: 'timber', topK: 1 }, ann);
    expect(hit).to.deep.include({
      documentId: 'harbour',
      documentName: 'harbour.pdf',
      index: 1,
      pageStart: 2,
      pageEnd: 2,
      headingPath: ['Costs of the crane'],
    });
    expect(hit!.score).to.be.greaterThan(0);
  });

  it('replaces a document whole, and leaves nothing of the old one', async () => {
    const before = await records();
    expect(await put('harbour', [chunk('A new text about ships.')], ann)).to.equal(1);
    expect([await found('timber', ann), await found('ships', ann)]).to.deep.equal([
      [],
      ['harbour: A new text about ships.'],
    ]);
    expect(await records()).to.equal(before);
    expect(await found('crane', bob), 'others keep theirs').to.have.length(1);
  });

  it('keeps no more of many passages than the best, wherever they stand', async () => {
    const many = Array.from({ length: 25_000 }, (_, i) => chunk(i === 24_990 ? 'crane crane crane' : 'crane', i + 1));
    expect(await put('many', many, ann)).to.equal(25_000);
    const hits = await index.search({ query: 'crane', topK: 3, documentId: 'many' }, ann);
    expect(hits.map(({ index: at, text }) => [at, text])).to.deep.equal([
      [24_990, 'crane crane crane'],
      [0, 'crane'],
      [1, 'crane'],
    ]);
    expect(await index.remove('many', ann)).to.equal(true);
  });

  it('finds by meaning with a model, and by words alone without one', async () => {
    const vectors = async (): Promise<number> =>
      store.records<{ id: string; version: string }>('vectors', { keys: ['version'] }).count();
    const clever = open(meaning('one'));
    await put('plain', [chunk('A boat without vectors.')], ann);
    for (const [id, lines] of [
      ['fleet', ['The vessel is old.', 'Its cost is known.', 'Nothing else.']],
      ['bakery', ['A loaf is on the table.']],
    ] as const)
      await clever.replace({ documentId: id, name: id }, await file(lines.map((line) => chunk(line))), ann);
    expect(await vectors()).to.equal(2);
    const ask = async (of: StoredIndex, query: string, topK = 2): Promise<string[]> =>
      (await of.search({ query, topK }, ann)).map(({ text }) => text);
    expect(await ask(clever, 'boat')).to.deep.equal(['A boat without vectors.', 'The vessel is old.']);
    expect(await ask(clever, 'bread', 1)).to.deep.equal(['A loaf is on the table.']);
    expect(await ask(clever, 'costs vessels', 2)).to.have.members(['The vessel is old.', 'Its cost is known.']);
    expect((await clever.search({ query: 'boat', topK: 1, documentId: 'bakery' }, ann))[0]?.text).to.equal(
      'A loaf is on the table.',
    );
    for (const other of [
      index,
      open(meaning('two')),
      open({
        model: 'one',
        embed: () => Promise.reject(new OperationalError('REMOTE_TIMEOUT', { remote: 'x', seconds: 1 })),
      }),
    ]) {
      expect([await ask(other, 'boat'), await ask(other, 'bread')]).to.deep.equal([['A boat without vectors.'], []]);
    }
    // A model that breaks down leaves texts that are found by their words.
    await open({
      model: 'one',
      embed: () => Promise.reject(new OperationalError('REMOTE_TIMEOUT', { remote: 'x', seconds: 1 })),
    }).replace({ documentId: 'fleet', name: 'fleet' }, await file([chunk('The vessel is new.')]), ann);
    expect([await vectors(), await ask(index, 'vessel')]).to.deep.equal([1, ['The vessel is new.']]);
    for (const id of ['plain', 'fleet', 'bakery']) expect(await index.remove(id, ann)).to.equal(true);
    expect(await vectors()).to.equal(0);
  });

  it('keeps the old text where the new one fails', async () => {
    const before = await records();
    for (const broken of [
      'no json',
      '{"text":"x"}',
      { text: 'x', pageStart: 0, pageEnd: 1, headingPath: [] },
      { text: 'x'.repeat(40_000), pageStart: 1, pageEnd: 1, headingPath: [] },
      { text: 'x', pageStart: 1, pageEnd: 1, headingPath: [7] },
    ]) {
      expect(await put('harbour', [chunk('half of it'), broken], ann)).to.equal('CONTRACT_BROKEN');
      expect(await put('fresh', [broken], ann)).to.equal('CONTRACT_BROKEN');
    }
    const big = Array.from({ length: 16 }, () => chunk('y'.repeat(32_000)));
    expect(await put('harbour', big, ann)).to.equal('INDEX_FULL');
    expect(
      await put(
        'harbour',
        Array.from({ length: 20 }, () => chunk('short', 1, ['h'.repeat(30_000)])),
        ann,
      ),
      'headings are kept with every chunk',
    ).to.equal('INDEX_FULL');
    expect([await found('ships', ann), await found('half', ann), await records()]).to.deep.equal([
      ['harbour: A new text about ships.'],
      [],
      before,
    ]);
    expect(await index.remove('fresh', ann)).to.equal(false);
  });

  it('has one whole text after two were put at once', async () => {
    const texts = ['first of two', 'second of two', 'third of two'];
    await Promise.all(texts.map((text) => put('both', [chunk(text), chunk(`${text} goes on`)], ann)));
    const hits = await found('two', ann);
    expect(hits).to.have.length(2);
    expect(new Set(hits.map((hit) => hit.replace(' goes on', ''))).size).to.equal(1);
    expect(await index.remove('both', ann)).to.equal(true);
    expect(await found('two', ann)).to.deep.equal([]);
  });

  it('forgets documents, and those of accounts that are gone', async () => {
    expect([
      await index.remove('secret', ann),
      await index.remove('harbour', ann),
      await index.remove('harbour', ann),
    ]).to.deep.equal([false, true, false]);
    await index.nameFreed('bob', 'robert');
    expect(await found('crane', bob)).to.have.length(1);
    await index.nameFreed('robert', undefined);
    await index.nameFreed('ann', undefined);
    expect([await found('crane', bob), await found('crane', ann), await records()]).to.deep.equal([[], [], 0]);
  });
});

describe('Words to search by', () => {
  it('have no case and no accents, and scripts without blanks come in pairs', () => {
    expect(searchTerms('Crème BRÛLÉE, 3.50 €; Straße')).to.deep.equal(['creme', 'brulee', '3', '50', 'straße']);
    expect(searchTerms('港口很安静 ABC日')).to.deep.equal(['港口', '口很', '很安', '安静', 'abc', '日']);
    expect(searchTerms('שָׁלוֹם')).to.deep.equal(['שלום']);
    expect(searchTerms('ﬁnal ｆｕｌｌ')).to.deep.equal(['final', 'full']);
  });
});
