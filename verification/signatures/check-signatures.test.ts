import { existsSync, readFileSync } from 'node:fs';
import { expect } from 'chai';
import { parseCsv } from '../corpus/corpus-files.js';
import { compareFile, signedFiles } from './compare.js';
import { exceptions } from './exceptions.js';

const corpus = new URL('../../../shared/corpus', import.meta.url).pathname;
const hasCorpus = existsSync(`${corpus}/manifest.csv`);

describe(
  hasCorpus ? 'signatures of real files' : 'signatures of real files (skipped: no ../shared/corpus)',
  function () {
    this.timeout(60_000);

    it('get the verdict of the manifest, except for the listed exceptions', async function () {
      if (!hasCorpus) return this.skip();
      const files = signedFiles(parseCsv(readFileSync(`${corpus}/manifest.csv`, 'utf8')), corpus);
      expect(files.length).to.be.greaterThan(80);
      const differing: string[] = [];
      for (const file of files) {
        const { faults } = await compareFile(file);
        if (faults.length > 0 !== (exceptions[file.name] !== undefined))
          differing.push(`${file.name}: ${faults.join('; ')}`);
        expect(faults, file.name).not.to.include('the change was not detected');
      }
      expect(differing).to.deep.equal([]);
    });
  },
);
