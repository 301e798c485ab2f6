import { existsSync, readFileSync } from 'node:fs';
import { expect } from 'chai';
import { parseCsv } from './corpus/corpus-files.js';
import { compareFile, signedFiles } from './signatures/compare.js';
import { exceptions } from './signatures/exceptions.js';

const corpus = '/work/shared/corpus';

describe('signatures of real files', function () {
  this.timeout(60_000);

  it('are judged as the manifest has it, but for what is explained', async function () {
    if (!existsSync(`${corpus}/manifest.csv`)) return this.skip();
    const files = signedFiles(parseCsv(readFileSync(`${corpus}/manifest.csv`, 'utf8')), corpus);
    expect(files.length).to.be.greaterThan(80);
    const differing: string[] = [];
    for (const file of files) {
      const { faults } = await compareFile(file);
      if ((faults.length > 0) !== (exceptions[file.name] !== undefined)) differing.push(`${file.name}: ${faults.join('; ')}`);
      expect(faults, file.name).not.to.include('the change went unnoticed');
    }
    expect(differing).to.deep.equal([]);
  });
});
