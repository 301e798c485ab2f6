import { spawnSync } from 'node:child_process';
import { expect } from 'chai';
import { metadataChanges, parseDate } from '../../src/functions/metadata-changes.js';

describe('metadata changes', () => {
  it('cover all nine standard entries, removed if not sent', () => {
    const { changes, unreadable } = metadataChanges({ title: 'T', author: 'undefined' });
    expect(Object.keys(changes).sort()).to.deep.equal([
      'Author',
      'CreationDate',
      'Creator',
      'Keywords',
      'ModDate',
      'Producer',
      'Subject',
      'Title',
      'Trapped',
    ]);
    expect([Object.values(changes).filter((value) => value !== undefined), unreadable]).to.deep.equal([['T'], []]);
  });

  it('pair keys and values by number, and use other names directly', () => {
    const { changes } = metadataChanges(
      {},
      {
        customKey12: ' Department ',
        customValue12: 'Sales',
        customKey: 'Bare',
        customValue: 'b',
        customKey2: '',
        customValue3: 'nobody',
        customKeyboard: 'x',
        Plain: 'undefined',
      },
    );
    const own = Object.fromEntries(
      Object.entries(changes).filter(
        ([key]) => !/^(Author|CreationDate|Creator|Keywords|ModDate|Producer|Subject|Title|Trapped)$/.test(key),
      ),
    );
    expect(own).to.deep.equal({ Department: 'Sales', Bare: 'b', customKeyboard: 'x', Plain: undefined });
  });

  it('are refused for invalid names', () => {
    expect(() => metadataChanges({}, { customKey1: 'a\nb', customValue1: 'c' }))
      .to.throw()
      .with.property('code', 'INPUT_INVALID');
  });
});

describe('metadata dates', () => {
  it('must be existing days and hours', () => {
    expect(parseDate('2024/2/29 0:00:59')).to.deep.equal(new Date(2024, 1, 29, 0, 0, 59));
    expect(parseDate('0099/12/31 23:59:59')?.getFullYear()).to.equal(99);
    for (const text of [
      '2023/02/29 00:00:00',
      '2023/00/10 00:00:00',
      '2023/10/01',
      '2023/10/01 12:60:00',
      '2023/10/01 12:00:60',
      '2023/10/01T12:00:00',
      '',
      undefined,
    ])
      expect(parseDate(text), text).to.equal(undefined);
  });

  it('may be ISO 8601 with a zone', () => {
    expect(parseDate('2024-02-29T12:00:00+01:00')).to.deep.equal(new Date('2024-02-29T11:00:00Z'));
    expect(parseDate(' 2024-02-29T23:59:59.123Z ')).to.deep.equal(new Date('2024-02-29T23:59:59Z'));
    for (const text of ['2023-02-29T00:00:00Z', '2023-10-01T12:60:00Z', '2023-10-01T25:00:00Z', '2023-10-01T12:00:00'])
      expect(parseDate(text), text).to.equal(undefined);
  });

  it('are in the time zone of the server', () => {
    const written = (zone: string): string =>
      spawnSync(
        process.execPath,
        [
          '--import',
          'tsx',
          '--input-type=module',
          '-e',
          "import { localPdfDate } from '@quire/document/structure/metadata'; console.log(localPdfDate(new " +
            "Date('2023-07-01T12:00:00Z')))",
        ],
        { env: { ...process.env, TZ: zone }, cwd: new URL('../..', import.meta.url), encoding: 'utf8' },
      ).stdout.trim();
    expect(['UTC', 'Asia/Kolkata', 'America/St_Johns'].map(written)).to.deep.equal([
      'D:20230701120000Z',
      "D:20230701173000+05'30'",
      "D:20230701093000-02'30'",
    ]);
  });
});
