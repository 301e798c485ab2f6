import { expect } from 'chai';
import { callsOf, sampleSizes, spread, type CorpusCall } from './calls.js';
import type { OutputCheck } from './check-output.js';
import { type CorpusFile, parseCsv } from './corpus-files.js';
import { withNotes } from './report.js';
import { judge, type Answer } from './judge.js';

const file = (more: Partial<CorpusFile> = {}): CorpusFile => ({
  name: 'a.pdf',
  path: '/a.pdf',
  fileClass: 'good',
  pages: 3,
  encrypted: false,
  needsPassword: false,
  signed: false,
  ...more,
});
const call = (name: string, of: CorpusFile): CorpusCall => {
  const [first] = callsOf[name]?.(of) ?? [];
  if (first === undefined) throw new Error(`no calls for ${name}`);
  return first;
};
const clean = (pages: number): OutputCheck => ({ verdict: 'clean', pages, parts: 1, message: '' });
const answer = (status: number, more: Partial<Answer> = {}): Answer => ({
  status,
  code: '',
  detail: '',
  ms: 10,
  sent: 100,
  received: 90,
  ...more,
});

describe('rules for real files', () => {
  it('send a sample of the folder to slow operations, and no file twice', () => {
    const folder = Array.from({ length: 2273 }, (_none, i) => i);
    const some = spread(folder, 60);
    expect([some.length, new Set(some).size, some[0]]).to.deep.equal([60, 60, 0]);
    expect(some.at(-1)).to.be.greaterThan(2200);
    expect(spread(folder, 3000)).to.equal(folder);
    expect(Object.keys(sampleSizes).filter((name) => callsOf[name] === undefined)).to.deep.equal([]);
  });

  it('require the right page count of a good file', () => {
    expect(judge(file(), call('rotate', file()), answer(200, { check: clean(3) }))).to.equal('');
    expect(judge(file(), call('rotate', file()), answer(200, { check: clean(2) }))).to.contain('2 pages');
    expect(judge(file(), call('merge', file()), answer(200, { check: clean(6) }))).to.equal('');
  });

  it('trust the number of reachable pages more than /Count', () => {
    const input = { pages: 1, listed: 3, verdict: 'clean', message: '', ms: 20 };
    expect(judge(file(), call('merge', file()), answer(200, { check: clean(2) }), input)).to.equal('');
  });

  it('does not blame an output for the time of a check that the input needs too', () => {
    const limit = answer(200, { check: { ...clean(0), verdict: 'time limit' } });
    const input = { pages: 3, listed: 3, verdict: 'clean', message: '' };
    expect(judge(file(), call('rotate', file()), limit, { ...input, ms: 12_000 })).to.equal('');
    expect(judge(file(), call('rotate', file()), limit, { ...input, ms: 200 })).to.equal('output time limit');
  });

  it('accept only PDF_ENCRYPTED for a good file that needs a password', () => {
    const locked = file({ needsPassword: true });
    expect(judge(locked, call('rotate', locked), answer(400, { code: 'PDF_ENCRYPTED' }))).to.equal('');
    expect(judge(locked, call('rotate', locked), answer(400, { code: 'PDF_DAMAGED' }))).to.not.equal('');
    expect(judge(locked, call('rotate', locked), answer(200, { check: clean(3) }))).to.not.equal('');
  });

  it('accept PDF_SIGNED for signed files only', () => {
    expect(judge(file({ signed: true }), call('merge', file()), answer(409, { code: 'PDF_SIGNED' }))).to.equal('');
    expect(judge(file(), call('merge', file()), answer(409, { code: 'PDF_SIGNED' }))).to.not.equal('');
  });

  it('never accept a server error, a hang or a missing answer, whatever the file', () => {
    const bad = file({ fileClass: 'bad', pages: undefined });
    expect(judge(bad, call('rotate', bad), answer(500, { code: 'INTERNAL' }))).to.contain('500');
    expect(judge(bad, call('rotate', bad), answer(400, { code: 'PDF_DAMAGED', ms: 31_000 }))).to.equal('hang');
    expect(judge(bad, call('rotate', bad), answer(0))).to.equal('no answer');
  });

  it('accept a 4xx for a damaged file', () => {
    const warn = file({ fileClass: 'warn' });
    expect(judge(warn, call('repair', warn), answer(400, { code: 'REPAIR_FAILED' }))).to.equal('');
    expect(judge(warn, call('repair', warn), answer(400))).to.contain('without a code');
  });

  it('accept the error codes that a call lists for files without anything to work on', () => {
    expect(judge(file(), call('chapters', file()), answer(400, { code: 'PDF_NO_BOOKMARKS' }))).to.equal('');
    expect(judge(file(), call('chapters', file()), answer(400, { code: 'INPUT_INVALID' }))).to.contain('rejected');
  });

  it('require content in answers that are not PDFs', () => {
    expect(judge(file(), call('bookmarks', file()), answer(200, { received: 2 }))).to.equal('');
    expect(judge(file(), call('bookmarks', file()), answer(200, { received: 0 }))).to.contain('empty');
  });

  it('require a compressed file that is not larger', () => {
    expect(judge(file(), call('compress', file()), answer(200, { check: clean(3), received: 101 }))).to.contain(
      'larger',
    );
  });
});

describe('manifest of the corpus', () => {
  it('is read with commas and quotes inside its cells', () => {
    expect(parseCsv('file,note\n"a, b.pdf","says ""no"""\nc.pdf,\n')).to.deep.equal([
      { file: 'a, b.pdf', note: 'says "no"' },
      { file: 'c.pdf', note: '' },
    ]);
  });
});

describe('page of the corpus report', () => {
  it('keeps the hand-written part after its mark', () => {
    const mark = '<!-- what other commands found, by hand -->';
    expect(withNotes('# New\n', `# Old\n${mark}\n\nNotes\n`)).to.equal(`# New\n\n${mark}\n\nNotes\n`);
    expect(withNotes('# New\n', '# Old\n')).to.equal('# New\n');
  });
});
