import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { serverForTests } from '@quire/plugin-kit';
import { expect } from 'chai';
import { PDFDocument } from 'pdf-lib';
import { Desk } from './support.js';

describe('Saved pipelines of the command line', () => {
  const server = serverForTests({ plugins: ['@quire/plugin-general', '@quire/plugin-misc'] });
  const desk = new Desk(() => server.url);

  const save = async (method: 'POST' | 'PUT', angle: number): Promise<void> => {
    const pipeline = [
      { operation: '/api/v1/general/merge-pdfs', parameters: {} },
      { operation: '/api/v1/general/rotate-pdf', parameters: { angle } },
    ];
    const inputs = [{ name: 'turn', field: '/pipeline/1/parameters/angle', label: 'Turn by' }];
    const body = {
      name: 'turn-all',
      title: 'Turn all',
      description: 'Puts all together.',
      definition: { pipeline },
      inputs,
    };
    const answer = await fetch(`${server.url}/api/v1/pipelines${method === 'PUT' ? '/turn-all' : ''}`, {
      method,
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    });
    expect(answer.ok, await answer.text()).to.equal(true);
  };
  const result = async (name: string): Promise<readonly number[]> => {
    const pdf = await PDFDocument.load(readFileSync(join(desk.work, name)));
    return pdf.getPages().map((page) => page.getRotation().angle);
  };

  before(async () => {
    await desk.addPdfs('a.pdf', 'b.pdf');
    await save('POST', 90);
    await save('PUT', 180);
  });
  after(() => desk.remove());

  it('are commands with options of their own', async () => {
    await desk.text(['turn-all', 'a.pdf', 'b.pdf', '--turn', '270', '-o', 'turned.pdf']);
    expect(await result('turned.pdf')).to.deep.equal([270, 270, 270, 270]);
    const help = await desk.text(['turn-all', '--help']);
    expect(help).to.contain('Turn all.').and.to.contain('--turn').and.to.contain('Default: 180.');
  });

  it('run in the version that is named', async () => {
    await desk.text(['turn-all@1', 'a.pdf', '-o', 'first.pdf']);
    expect(await result('first.pdf')).to.deep.equal([90, 90]);
    await desk.text(['tools/turn-all', 'a.pdf', '-o', 'last.pdf']);
    expect(await result('last.pdf')).to.deep.equal([180, 180]);
  });

  it('are listed after the tools', async () => {
    expect(await desk.text(['tools'])).to.match(/rotate-pdf.*\n\nSaved pipelines:\nturn-all +Turn all\n$/s);
    expect(await desk.text(['tools', 'turn', 'all'])).to.equal(
      '\nSaved pipelines:\nturn-all                       Turn all\n',
    );
  });

  it('are not found where they do not exist', async () => {
    const versionless = await desk.run(['turn-all@9', 'a.pdf']);
    expect([versionless.code, versionless.stderr]).to.deep.equal([
      7,
      'quire: There is no saved pipeline turn-all@9.\nList all: quire tools\n',
    ]);
    expect((await desk.run(['turn-none', 'a.pdf'])).stderr).to.contain('Unknown command "turn-none".');
  });
});
