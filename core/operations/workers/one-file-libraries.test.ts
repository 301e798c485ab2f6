import { execFileSync } from 'node:child_process';
import { expect } from 'chai';

describe('libraries of a worker', () => {
  /** Runs code in a process of its own, from the folder of a package that has pdf-lib. Returns what it prints. */
  function printed(code: string): unknown {
    const own = new URL('../../dist/operations/workers/one-file-libraries.js', import.meta.url).href;
    const script =
      `import { createRequire } from 'node:module';` +
      `import { loadLibrariesAsOneFile } from '${own}';` +
      `const require = createRequire(process.cwd() + '/');` +
      `const loaded = () => Object.keys(require.cache).filter((file) => file.includes('/pdf-lib/'));` +
      code;
    const document = new URL('../../../document', import.meta.url);
    const args = ['--input-type=module', '--eval', script];
    return JSON.parse(execFileSync(process.execPath, args, { encoding: 'utf8', cwd: document }));
  }

  it('include pdf-lib as one file, with the same classes for every way to import it', () => {
    const [files, same] = printed(
      `loadLibrariesAsOneFile();
       const [imported, required] = [await import('pdf-lib'), require('pdf-lib')];
       console.log(JSON.stringify([loaded(), imported.PDFDict === required.PDFDict]));`,
    ) as [string[], boolean];
    expect(files).to.have.length(1);
    expect(files[0]).to.match(/\/pdf-lib\/dist\/pdf-lib\.js$/);
    expect(same).to.equal(true);
  });

  it('export everything that the entry of pdf-lib exports', () => {
    const [names, files] = printed(
      `const usual = Object.keys(await import('pdf-lib')); const files = loaded().length;
       const one = await import('pdf-lib/dist/pdf-lib.js');
       console.log(JSON.stringify([usual.filter((name) => !(name in one)), files]));`,
    ) as [string[], number];
    expect(names).to.deep.equal([]);
    expect(files).to.be.greaterThan(100);
  });
});
