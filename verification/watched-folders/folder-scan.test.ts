import { expect } from 'chai';
import { runFolderTest } from './folder-test.js';

describe('watched folders under kill -9', () => {
  it('process every input once with a report, and write every output once', async function () {
    this.timeout(90_000);
    const run = await runFolderTest({
      files: 30,
      kills: 2,
      everyMs: 1200,
      feedMs: 1500,
      patienceMs: 45_000,
      settleMs: 600,
    });
    expect(run.problems, run.base ?? '').to.deep.equal([]);
    expect([run.files, run.done + run.failed, run.kills >= 2, run.outputs > 0]).to.deep.equal([30, 30, true, true]);
  });
});
