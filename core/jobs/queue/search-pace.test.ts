import { expect } from 'chai';
import { nextLookMs, SearchPace } from './search-pace.js';

describe('the pace of searches in the queue', () => {
  it('repeats a search that found nothing only when there is news, or after the wait', async () => {
    let wait = 60_000;
    const pace = new SearchPace(() => wait);
    const found: (string | undefined)[] = [];
    let searches = 0;
    let answer: string | undefined;
    const search = async (): Promise<void> =>
      void found.push(await pace.search(() => ((searches += 1), Promise.resolve(answer))));
    for (let i = 0; i < 3; i += 1) await search();
    expect(searches, 'once at first').to.equal(1);
    answer = 'a row';
    pace.news();
    await search();
    answer = undefined;
    await search();
    await search();
    expect(searches, 'again after something was found, until nothing is').to.equal(3);
    wait = 0;
    await search();
    expect(searches).to.equal(4);
    expect(found.filter((one) => one !== undefined)).to.deep.equal(['a row']);
  });

  it('searches again after a search that failed', async () => {
    const pace = new SearchPace(() => 60_000);
    const lost = await pace.search(() => Promise.reject(new Error('lost'))).catch((error: Error) => error.message);
    expect(lost).to.equal('lost');
    expect(await pace.search(() => Promise.resolve('row'))).to.equal('row');
  });
});

describe('The next search after the end of a job', () => {
  it('comes soon, and then each time after as long as it has been quiet, until the poll takes over', () => {
    const at = [0];
    for (let wait = nextLookMs(0, 1000); wait !== undefined; wait = nextLookMs(at.at(-1) ?? 0, 1000))
      at.push((at.at(-1) ?? 0) + wait);
    expect(at).to.deep.equal([0, 50, 100, 200, 400, 800, 1600]);
  });
});
