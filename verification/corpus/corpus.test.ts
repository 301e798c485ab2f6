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

describe('the rules for real files', () => {
  it('call what takes hours with files from the whole folder, and no file twice', () => {
    const folder = Array.from({ length: 2273 }, (_none, i) => i);
    const some = spread(folder, 60);
    expect([some.length, new Set(some).size, some[0]]).to.deep.equal([60, 60, 0]);
    expect(some.at(-1)).to.be.greaterThan(2200);
    expect(spread(folder, 3000)).to.equal(folder);
    expect(Object.keys(sampleSizes).filter((name) => callsOf[name] === undefined)).to.deep.equal([]);
  });

  it('want the right page count of a good file', () => {
    expect(judge(file(), call('rotate', file()), answer(200, { check: clean(3) }))).to.equal('');
    expect(judge(file(), call('rotate', file()), answer(200, { check: clean(2) }))).to.contain('2 pages');
    expect(judge(file(), call('merge', file()), answer(200, { check: clean(6) }))).to.equal('');
  });

  it('believe pages that can be reached more than a listed number', () => {
    const input = { pages: 1, listed: 3, verdict: 'clean', message: '' };
    expect(judge(file(), call('merge', file()), answer(200, { check: clean(2) }), input)).to.equal('');
  });

  it('take PDF_ENCRYPTED alone from a good file that needs a password', () => {
    const locked = file({ needsPassword: true });
    expect(judge(locked, call('rotate', locked), answer(400, { code: 'PDF_ENCRYPTED' }))).to.equal('');
    expect(judge(locked, call('rotate', locked), answer(400, { code: 'PDF_DAMAGED' }))).to.not.equal('');
    expect(judge(locked, call('rotate', locked), answer(200, { check: clean(3) }))).to.not.equal('');
  });

  it('take PDF_SIGNED from signed files alone', () => {
    expect(judge(file({ signed: true }), call('merge', file()), answer(409, { code: 'PDF_SIGNED' }))).to.equal('');
    expect(judge(file(), call('merge', file()), answer(409, { code: 'PDF_SIGNED' }))).to.not.equal('');
  });

  it('never take a server error, a hang or silence, whatever the file', () => {
    const bad = file({ fileClass: 'bad', pages: undefined });
    expect(judge(bad, call('rotate', bad), answer(500, { code: 'INTERNAL' }))).to.contain('500');
    expect(judge(bad, call('rotate', bad), answer(400, { code: 'PDF_DAMAGED', ms: 31_000 }))).to.equal('hang');
    expect(judge(bad, call('rotate', bad), answer(0))).to.equal('no answer');
  });

  it('take a clean refusal of a damaged file', () => {
    const warn = file({ fileClass: 'warn' });
    expect(judge(warn, call('repair', warn), answer(400, { code: 'REPAIR_FAILED' }))).to.equal('');
    expect(judge(warn, call('repair', warn), answer(400))).to.contain('without a code');
  });

  it('take the refusals that a call names, of what a file does not have', () => {
    expect(judge(file(), call('chapters', file()), answer(400, { code: 'PDF_NO_BOOKMARKS' }))).to.equal('');
    expect(judge(file(), call('chapters', file()), answer(400, { code: 'INPUT_INVALID' }))).to.contain('refused');
  });

  it('want something in answers that are no PDF', () => {
    expect(judge(file(), call('bookmarks', file()), answer(200, { received: 2 }))).to.equal('');
    expect(judge(file(), call('bookmarks', file()), answer(200, { received: 0 }))).to.contain('empty');
  });

  it('want a compressed file that is no larger', () => {
    expect(judge(file(), call('compress', file()), answer(200, { check: clean(3), received: 101 }))).to.contain(
      'larger',
    );
  });
});

describe('the manifest', () => {
  it('is read with commas and quotes inside its cells', () => {
    expect(parseCsv('file,note\n"a, b.pdf","says ""no"""\nc.pdf,\n')).to.deep.equal([
      { file: 'a, b.pdf', note: 'says "no"' },
      { file: 'c.pdf', note: '' },
    ]);
  });
});

describe('the page of real files', () => {
  it('keeps what was written by hand behind its mark', () => {
    const mark = '<!-- what other commands found, by hand -->';
    expect(withNotes('# New\n', `# Old\n${mark}\n\nNotes\n`)).to.equal(`# New\n\n${mark}\n\nNotes\n`);
    expect(withNotes('# New\n', '# Old\n')).to.equal('# New\n');
  });
});
