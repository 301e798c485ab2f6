import { expect } from 'chai';
import { deviations, withoutPdfA } from './deviations.js';
import { hasSuites, readManifest } from './suites.js';
import { judgeSuites, pathOf, type Verdicts, verifyPdfA } from './verdicts.js';

describe('Verdicts on the invoices of the suites', () => {
  let verdicts: Verdicts;
  let pdfAChecked: boolean;

  before(async function () {
    if (!hasSuites()) return void this.skip();
    this.timeout(600_000);
    const pdfs = (await readManifest()).filter(({ kind, expected }) => kind === 'pdf-hybrid' && expected === 'invalid');
    const pdfa = verifyPdfA(pdfs.map(({ file }) => pathOf(file)));
    pdfAChecked = pdfa !== undefined;
    verdicts = await judgeSuites(pdfa);
  });

  it('cover every file of the manifest', async () => {
    const { rules, files, unknown } = verdicts;
    const judged = new Set([
      ...rules.map(({ name }) => name.split(' #')[0]),
      ...files.map(({ file }) => file),
      ...unknown,
    ]);
    for (const { file } of await readManifest()) expect(judged.has(file), file).to.equal(true);
    expect(rules.length).to.be.greaterThan(600);
  });

  it('agree with every unit test and every expectation of a rule', () => {
    const wrong = verdicts.rules.filter(({ agrees }) => !agrees);
    expect(wrong.map(({ rule, name, expected }) => `${rule} ${expected} in ${name}`)).to.deep.equal([]);
  });

  it('agree with the verdict on every file, but for those whose deviation is explained', () => {
    const wrong = verdicts.files.filter(({ expected, found }) => expected !== found);
    const explained = { ...deviations, ...(pdfAChecked ? {} : withoutPdfA) };
    expect(wrong.map(({ file }) => file).toSorted()).to.deep.equal(Object.keys(explained).toSorted());
  });
});
