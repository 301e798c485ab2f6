import { expect } from 'chai';
import { fileURLToPath } from 'node:url';
import { holdEvidence } from '../../src/functions/orchestrate/read-for-question.js';
import { readPageTexts } from '../../src/functions/texts/page-texts.js';

const path = fileURLToPath(new URL('../../../docparse/fixtures/report.pdf', import.meta.url));

describe('evidence for an answer', () => {
  it('holds no word behind what was looked for in the document', async () => {
    const { signal } = new AbortController();
    const page = (await readPageTexts(path, { signal })).pages.find(({ text }) => text.length > 620)!;
    const [held] = await holdEvidence(
      [path],
      [{ file: 0, page: page.page, text: `${page.text.slice(0, 610)} and the rent is 9 EUR` }],
      signal,
    );
    expect(held?.text).to.equal(page.text.slice(0, 600));
  });
});
