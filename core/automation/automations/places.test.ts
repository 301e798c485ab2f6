import { mkdir, mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import type { AutomationContent } from './model.js';
import { loopOf, placed, type Placed } from './places.js';

describe('places of automations', () => {
  const of = (name: string, source: object, destination: object): Promise<Placed> =>
    placed(
      {
        id: name,
        name,
        content: {
          inputs: [{ source: 'it', trigger: { type: 'arrival' } }],
          destinations: [{ id: 'd', type: 'any', options: { ...destination } }],
        } as unknown as AutomationContent,
      },
      () => ({ ...source }),
    );
  const names = async (...all: Promise<Placed>[]): Promise<readonly string[] | undefined> => {
    const [first, ...others] = await Promise.all(all);
    return first === undefined ? undefined : loopOf(first, others)?.names;
  };

  it('make a loop through any number of automations', async () => {
    const at = (directory: string) => ({ directory });
    expect(
      await names(of('A', at('/a'), at('/b')), of('B', at('/b'), at('/c')), of('C', at('/c'), at('/a'))),
    ).to.deep.equal(['A', 'B', 'C', 'A']);
    expect(await names(of('A', at('/a'), at('/b')), of('B', at('/b'), at('/c')))).to.equal(undefined);
    expect(await names(of('A', at('/a'), at('/a'))), 'its own folder').to.equal(undefined);
  });

  it('are the same bucket however its service is written', async () => {
    const bucket = (endpoint: string, prefix: string) => ({ bucket: 'b', endpoint, prefix });
    const loop = (one: string, other: string) =>
      names(of('A', bucket(one, 'in/'), bucket(one, 'out/')), of('B', bucket(other, 'out/'), bucket(other, 'in/')));
    expect(await loop('https://S3.example.org', 'https://s3.example.org:443/')).to.have.length(3);
    expect(await loop('', 'https://s3.eu-central-1.amazonaws.com')).to.have.length(3);
    expect(await loop('', 'https://s3.example.org')).to.equal(undefined);
    expect(await loop('https://s3.example.org', 'https://s3.example.org:9000')).to.equal(undefined);
  });

  it('are those of the input too, where results replace the stored files that were processed', async () => {
    const stored = (folderId: string, mode = 'new_file') => ({ folderId, mode });
    const back = of('B', stored('two'), stored('one'));
    expect(await names(of('A', stored('one'), stored('two', 'in_place')), back)).to.deep.equal(['A', 'B', 'A']);
    expect(await names(of('A', stored('one'), stored('three', 'in_place')), back)).to.equal(undefined);
    const inPlace = await of('A', stored('one'), stored('three', 'in_place'));
    expect(inPlace.writes.map(({ root }) => root)).to.deep.equal(['storage three', 'storage one']);
    expect((await of('A', { directory: '/a' }, stored('three', 'in_place'))).writes).to.have.length(1);
  });

  it('count folders inside of others only where those are searched', async () => {
    const inner = { directory: '/a/inner' };
    const back = of('B', { directory: '/b' }, inner);
    expect(await names(of('A', { directory: '/a', recursive: true }, { directory: '/b' }), back)).to.have.length(3);
    expect(await names(of('A', { directory: '/a' }, { directory: '/b' }), back)).to.equal(undefined);
    expect(
      await names(
        of('A', { directory: '/a', recursive: true }, { directory: '/b' }),
        of(
          'B',
          { directory: '/b' },
          {
            directory: '/ab',
          },
        ),
      ),
    ).to.equal(undefined);
  });

  it('are seen through symbolic links', async () => {
    const root = await mkdtemp(join(tmpdir(), 'quire-places-'));
    try {
      await mkdir(join(root, 'a'));
      await symlink(join(root, 'a'), join(root, 'link'));
      expect(
        await names(
          of('A', { directory: join(root, 'a') }, { directory: '/b' }),
          of('B', { directory: '/b' }, { directory: join(root, 'link') }),
        ),
      ).to.have.length(3);
    } finally {
      await rm(root, { recursive: true });
    }
  });

  it('may be buckets and folders of the file storage', async () => {
    const bucket = (prefix: string) => ({ bucket: 'scans', prefix });
    expect(
      await names(of('A', bucket('in/'), { folderId: '7' }), of('B', { folderId: '7' }, bucket('in/new/'))),
    ).to.have.length(3);
    expect(await names(of('A', bucket('in/'), { folderId: '7' }), of('B', { folderId: '7' }, bucket('out/')))).to.equal(
      undefined,
    );
  });
});
