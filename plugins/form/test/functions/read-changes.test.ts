import { expect } from 'chai';
import { readFillData } from '../../src/functions/read-fill-data.js';
import { readNames } from '../../src/functions/read-names.js';
import { readUpdates } from '../../src/functions/read-updates.js';

const values = (json: unknown): unknown[] =>
  readFillData(typeof json === 'string' ? json : JSON.stringify(json)).map(({ name, value }) => [name, value]);
const fault = (work: () => unknown): string => {
  try {
    return `read ${JSON.stringify(work())}`;
  } catch (error) {
    const {
      code,
      errors: [first],
    } = error as { code: string; errors: { pointer: string; detail: string }[] };
    return `${code} ${first!.pointer} ${first!.detail}`;
  }
};

describe('Values to fill in', () => {
  it('are read in every shape that clients send', () => {
    expect(values({ a: ' x ', b: true, c: null, d: ['p', ' q '] })).to.deep.equal([
      ['a', 'x'],
      ['b', 'true'],
      ['c', null],
      ['d', ['p', 'q']],
    ]);
    expect(values({ template: { a: 'x', list: [] }, fields: [{ name: 'b', value: 'y' }] })).to.deep.equal([
      ['a', 'x'],
      ['list', []],
    ]);
    expect(
      values({
        fields: [
          { name: 'a', value: 'x' },
          { targetName: 'b', defaultValue: 'y' },
          { fieldName: 'c' },
          { value: 'no name' },
          'z',
        ],
      }),
    ).to.deep.equal([
      ['a', 'x'],
      ['b', 'y'],
      ['c', null],
    ]);
    expect(values({ fields: [] })).to.deep.equal([['fields', []]]);
    expect(values([{ name: 'a', value: ['x', 'y'] }])).to.deep.equal([['a', ['x', 'y']]]);
    expect(values([{ first: 'a', second: 'b' }, { first: 'not used' }])).to.deep.equal([
      ['first', 'a'],
      ['second', 'b'],
    ]);
    for (const nothing of ['', ' ', 'null', '{}', '[]', '\ufeff{}']) expect(values(nothing), nothing).to.deep.equal([]);
    expect(readFillData(undefined)).to.deep.equal([]);
  });

  it('keep every digit of numbers, and what looks like one in texts', () => {
    expect(
      values('{"iban": 12345678901234567890, "sum": 1.50, "small": -2e-7, "text": "7, \\"8\\" 9", "8": 0}'),
    ).to.deep.equal([
      ['8', '0'],
      ['iban', '12345678901234567890'],
      ['sum', '1.50'],
      ['small', '-2e-7'],
      ['text', '7, "8" 9'],
    ]);
    expect(values('{"__proto__": "x", "constructor": "y"}')).to.deep.equal([
      ['__proto__', 'x'],
      ['constructor', 'y'],
    ]);
  });

  it('say where they are wrong', () => {
    expect(fault(() => readFillData('{a:1}'))).to.match(/^INPUT_INVALID \/data is not JSON: /);
    expect(fault(() => readFillData('"x"'))).to.equal(
      'INPUT_INVALID /data is a text or a number; allowed are an object of field names and values, and a list ' +
        'of fields',
    );
    expect(fault(() => readFillData('[{"name":"a"}, 7]'))).to.equal(
      'INPUT_INVALID /data/1 is a text or a number; allowed are objects, with a name and a value each',
    );
    expect(readFillData('{"fields":[{"name":"a/b","value":"x"}]}')[0]!.pointer).to.equal('/data/fields/0/value');
    expect(readFillData('{"a/b~c":"x"}')[0]!.pointer).to.equal('/data/a~1b~0c');
  });
});

describe('Names of fields to delete', () => {
  it('are read in every shape that clients send, each once', () => {
    for (const [json, names] of [
      [
        ['a', ' b ', 'a', ''],
        ['a', 'b'],
      ],
      [
        [{ name: 'a' }, { targetName: 'b' }, { fieldName: 'c' }, { field: { name: 'd' } }, 'e'],
        ['a', 'b', 'c', 'd', 'e'],
      ],
      [{ fields: [{ name: 'a' }, 'b'] }, ['a', 'b']],
      [{ name: 'a' }, ['a']],
      ['a', ['a']],
      ['7', ['7']],
    ] as const)
      expect(readNames(JSON.stringify(json)), JSON.stringify(json)).to.deep.equal(names);
  });

  it('are refused where there are none', () => {
    for (const nothing of [undefined, '', ' ', 'null', '[]', '{}', '[" "]', '[{"value":1}]', '""'])
      expect(
        fault(() => readNames(nothing)),
        nothing,
      )
        .to.contain('INPUT_INVALID /names')
        .and.contain('error.dataRequired');
    for (const other of ['7', 'true'])
      expect(
        fault(() => readNames(other)),
        other,
      ).to.contain('error.invalidFormat');
    expect(fault(() => readNames('[a]'))).to.contain('is not JSON');
  });
});

describe('Changes of fields', () => {
  it('hold what is to change; null and unknown members say nothing', () => {
    expect(
      readUpdates(
        '[{"targetName":" a ","name":"b","label":"","required":"TRUE","multiSelect":false,"options":["x",7,' +
          'null],"defaultValue":5,"tooltip":null,"other":{}}]',
      ),
    ).to.deep.equal([
      {
        target: 'a',
        pointer: '/updates/0',
        name: 'b',
        label: '',
        required: true,
        multiSelect: false,
        options: ['x', '7', ''],
        defaultValue: '5',
      },
    ]);
  });

  it('say where they are wrong', () => {
    for (const nothing of [undefined, ' ', 'null', '[]'])
      expect(
        fault(() => readUpdates(nothing)),
        nothing,
      )
        .to.contain('/updates')
        .and.contain('error.dataRequired');
    expect(fault(() => readUpdates('{"targetName":"a"}'))).to.contain('/updates is an object');
    expect(fault(() => readUpdates('["a"]'))).to.contain('/updates/0 is a text');
    expect(fault(() => readUpdates('[{"name":"a"}]'))).to.contain('/updates/0/targetName must be the name of a field');
    expect(fault(() => readUpdates('[{"targetName":"a","required":"maybe"}]'))).to.contain('/updates/0/required');
    expect(fault(() => readUpdates('[{"targetName":"a","options":"x,y"}]'))).to.contain('/updates/0/options is a text');
    expect(fault(() => readUpdates('[{"targetName":"a","label":{}}]'))).to.contain('/updates/0/label is an object');
  });
});
