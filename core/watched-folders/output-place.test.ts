import { expect } from 'chai';
import { mkdir, mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FolderProblem } from './folder-problem.js';
import { openOutputFolder, outputFolder } from './output-place.js';

const settings = { finished: '/srv/pipeline/finishedFolders', allowedRoots: ['/mnt/out'], workingFolder: '/srv' };
const values = {
  watched: '/srv/pipeline/watchedFolders/team',
  fromRoot: 'team',
  pipelineName: 'a/b',
  now: new Date(2026, 0, 2, 3, 4, 5),
};
const refusal = async (work: () => unknown): Promise<string> => {
  try {
    await work();
    return 'taken';
  } catch (error) {
    return error instanceof FolderProblem ? error.kind : String(error);
  }
};

describe('The output folder', () => {
  it('is a subfolder of the finished folder, named like the watched folder, if the pipeline names none', () => {
    for (const pattern of [undefined, '', '  '])
      expect(outputFolder(pattern, values, settings)).to.equal('/srv/pipeline/finishedFolders/team');
  });

  it('follows the placeholders of existing pipelines, without the text watchedFolders', () => {
    expect(outputFolder('{outputFolder}/{folderName}', values, settings)).to.equal(
      '/srv/pipeline/finishedFolders/srv/pipeline/team',
    );
    expect(outputFolder('{outputFolder}/x/{date}/{time}/{pipelineName}', values, settings)).to.equal(
      '/srv/pipeline/finishedFolders/x/20260102/030405/a_b',
    );
    expect(outputFolder('{outputFolder}/\\watchedFolders/x', values, settings)).to.equal(
      '/srv/pipeline/finishedFolders/x',
    );
    expect(outputFolder('{outputFolder}/$&', values, settings)).to.equal('/srv/pipeline/finishedFolders/$&');
  });

  it('is relative to the working folder if that may be written to, else to the finished folder', () => {
    expect(outputFolder('pipeline/finishedFolders/x', values, settings)).to.equal('/srv/pipeline/finishedFolders/x');
    expect(outputFolder('./results', values, settings)).to.equal('/srv/pipeline/finishedFolders/results');
  });

  it('must not be anywhere else, unless the operator allows it', async () => {
    for (const pattern of [
      '/etc',
      '../up',
      '{folderName}',
      '{outputFolder}/../../x',
      '/srv/pipeline/finishedFoldersX',
      '/mnt/out/../x',
      'a\0b',
    ])
      expect(await refusal(() => outputFolder(pattern, values, settings)), pattern).to.equal('output-refused');
    expect(outputFolder('/mnt/out/x', values, settings)).to.equal('/mnt/out/x');
    expect(
      await refusal(() => outputFolder('{folderName}', { ...values, watched: '/mnt/out/in' }, settings)),
      'the watched folder itself',
    ).to.equal('output-refused');
  });

  it('is not reached through links that lead elsewhere', async () => {
    const base = await mkdtemp(join(tmpdir(), 'quire-place-'));
    try {
      const [finished, elsewhere, watched] = ['finished', 'elsewhere', 'watched'].map((name) => join(base, name)) as [
        string,
        string,
        string,
      ];
      for (const folder of [finished, elsewhere, watched]) await mkdir(folder);
      await symlink(elsewhere, join(finished, 'out'));
      await symlink(watched, join(finished, 'round'));
      const open = (folder: string, allowedRoots: string[] = []): Promise<string> =>
        refusal(() => openOutputFolder(folder, 'x', watched, { finished, allowedRoots }));
      expect(
        await Promise.all([
          open(join(finished, 'out')),
          open(join(finished, 'out', 'new')),
          open(join(finished, 'new', 'deep')),
          open(join(finished, 'out', 'new'), [elsewhere]),
          open(join(finished, 'round'), [watched]),
        ]),
      ).to.deep.equal(['output-refused', 'output-refused', 'taken', 'taken', 'output-refused']);
      // Its files would be put back into the watched folder.
      expect(
        await Promise.all(
          ['processing', 'processing/deep', 'processing-of-others'].map((name) => open(join(watched, name), [watched])),
        ),
      ).to.deep.equal(['output-refused', 'output-refused', 'taken']);
    } finally {
      await rm(base, { recursive: true });
    }
  });
});
