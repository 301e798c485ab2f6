import { expect } from 'chai';
import { codeOf } from '../../test/suites/code-of.js';
import { DiskReserve, type Volume } from './disk-reserve.js';

const GB = 1024 ** 3;

const reserveOf = (volume: Volume | Error, bytes?: number): DiskReserve =>
  new DiskReserve({
    folders: ['/tmp'],
    bytes,
    volumeOf: async () => {
      if (volume instanceof Error) throw volume;
      return volume;
    },
  });

describe('The reserve of disk', () => {
  it('is 1 GiB of a large volume and 5 % of a small one', async () => {
    const codes = await Promise.all(
      [
        { total: 100 * GB, free: 1.01 * GB },
        { total: 100 * GB, free: 0.99 * GB },
        { total: 10 * GB, free: 0.51 * GB },
        { total: 10 * GB, free: 0.49 * GB },
      ].map((volume) => codeOf(reserveOf(volume).admit())),
    );
    expect(codes).to.deep.equal(['none', 'STORAGE_FULL', 'none', 'STORAGE_FULL']);
  });

  it('is what the settings say; 0 switches it off', async () => {
    const volume = { total: 100 * GB, free: 5 * GB };
    expect(await codeOf(reserveOf(volume, 6 * GB).admit())).to.equal('STORAGE_FULL');
    expect(await codeOf(reserveOf(volume, 4 * GB).admit())).to.equal('none');
    expect(await codeOf(reserveOf({ total: GB, free: 0 }, 0).admit())).to.equal('none');
  });

  it('is kept after the upload, not only before it', async () => {
    const reserve = reserveOf({ total: 100 * GB, free: 5 * GB }, 4 * GB);
    expect(await codeOf(reserve.admit(0.9 * GB))).to.equal('none');
    expect(await codeOf(reserve.admit(1.1 * GB))).to.equal('STORAGE_FULL');
  });

  it('does not count a folder that does not exist', async () => {
    expect(await codeOf(reserveOf(new Error('ENOENT')).admit())).to.equal('none');
  });

  it('reads the disk once for many uploads', async () => {
    let reads = 0;
    const reserve = new DiskReserve({
      folders: ['/tmp'],
      bytes: GB,
      volumeOf: async () => {
        reads += 1;
        return { total: 100 * GB, free: 50 * GB };
      },
    });
    await Promise.all(Array.from({ length: 100 }, () => reserve.admit()));
    expect(reads).to.equal(1);
  });
});
