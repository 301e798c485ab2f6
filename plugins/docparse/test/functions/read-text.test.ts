import { expect } from 'chai';
import { noLimits, readText } from '../../src/functions/read-text.js';

const path = new URL('../../fixtures/report.pdf', import.meta.url).pathname;
const watch = () => ({ signal: new AbortController().signal, progress: () => undefined });

describe('The text of a document', () => {
  it('is whole without limits, and is cut at a page where there are too many pages or characters', async () => {
    const whole = await readText({ path }, noLimits, watch());
    expect([whole.pages, whole.sourcePages, whole.truncated]).to.deep.equal([4, 4, false]);
    const two = await readText({ path }, { pages: 2, characters: -1 }, watch());
    expect([two.pages, two.truncated, whole.markdown.startsWith(two.markdown.trimEnd())]).to.deep.equal([
      2,
      true,
      true,
    ]);
    expect(two.markdown).to.include('| Day 20 ').and.not.to.include('| Day 50 ');
    const first = await readText(
      { path },
      { pages: -1, characters: whole.markdown.indexOf('## Daily') + 100 },
      watch(),
    );
    expect([first.pages, first.truncated, first.markdown.trimEnd()]).to.deep.equal([
      1,
      true,
      whole.markdown.slice(0, whole.markdown.indexOf('## Daily')).trimEnd(),
    ]);
  });

  it('is cut between words where the first page is too long', async () => {
    const { markdown, passages, pages, truncated } = await readText({ path }, { pages: -1, characters: 120 }, watch());
    expect([pages, truncated]).to.deep.equal([1, true]);
    expect(markdown).to.match(/^# Harbour Report\n\nThis report tells .*\S\n$/s);
    expect(markdown.length).to.be.at.most(121);
    expect(passages.map(({ text }) => text).join('\n\n')).to.equal(markdown.trimEnd());
  });

  it('ends when it is cancelled', async () => {
    const stop = new AbortController();
    const run = readText({ path }, noLimits, {
      signal: stop.signal,
      progress: (done) => void (done === 1 && stop.abort(new Error('enough'))),
    });
    expect(
      await run.then(
        () => 'done',
        (error: Error) => error.message,
      ),
    ).to.equal('enough');
  });
});
