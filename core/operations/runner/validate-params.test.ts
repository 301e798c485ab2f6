import { expect } from 'chai';
import type { CatalogOperation } from '@quire/catalog';
import { jsonField, mapField } from '@quire/registry';
import Joi from 'joi';
import { nearestName } from '../../settings/index.js';
import { escapePointer, faultsOf, validateParams } from './validate-params.js';

const entry = {
  operation: { path: 'misc/x', aliases: { compressionLevel: 'level' }, parts: [{ field: 'stampFile' }] },
  schema: Joi.object({
    level: Joi.number().integer().min(1).max(9).default(5),
    list: Joi.array().items(Joi.string()).single(),
    password: Joi.string().max(3),
    name: Joi.string().valid('a', 'b'),
  }),
} as unknown as CatalogOperation;

describe('parameters of a call', () => {
  it('are converted and get their defaults', () => {
    expect(validateParams(entry, { level: '7', list: 'a' })).to.deep.equal({
      params: { level: 7, list: ['a'] },
      ignored: [],
      replaced: [],
      faults: [],
    });
    expect(validateParams(entry, {}).params).to.deep.equal({ level: 5 });
  });

  it('are named in faults, not the shape that they have', () => {
    const rights = Joi.object({ areas: Joi.array().items(Joi.string()).required() })
      .label('SentRights')
      .required();
    const { error } = Joi.object({ rights }).validate({}, { errors: { wrap: { label: false } } });
    expect(faultsOf(error)).to.deep.equal([{ pointer: '/rights', detail: 'rights is required' }]);
  });

  it('that are no numbers of the interface are refused with the limits', () => {
    const detailOf = (level: string): string | undefined => validateParams(entry, { level }).faults[0]?.detail;
    expect(detailOf('99999999999999999999')).to.equal(
      'level is too large: numbers go from -9007199254740991 to 9007199254740991; found "99999999999999999999"',
    );
    expect(detailOf('1e400')).to.match(/^level (?:is too large|must be a finite number)/);
  });

  it('may use an alias; their own name wins', () => {
    expect(validateParams(entry, { compressionLevel: '3' })).to.deep.include({ params: { level: 3 }, ignored: [] });
    expect(validateParams(entry, { compressionLevel: '3', level: '4' })).to.deep.include({
      params: { level: 4 },
      ignored: ['compressionLevel'],
    });
  });

  it('are listed as ignored if they are unknown, apart from fields of the server', () => {
    expect(
      validateParams(entry, {
        fileInput: 'x',
        fileId: 'x',
        async: 'true',
        stampFile: 'x',
        other: '1',
        constructor: '1',
      }).ignored,
    ).to.deep.equal(['other', 'constructor']);
  });

  it('are all reported if they are wrong, with their place and the value found', () => {
    const { faults } = validateParams(entry, { level: '99', name: 'c' }, '/pipeline/2/parameters');
    expect(faults.map(({ pointer }) => pointer)).to.deep.equal([
      '/pipeline/2/parameters/level',
      '/pipeline/2/parameters/name',
    ]);
    expect(faults[0]?.detail).to.contain('99');
  });

  it('that are JSON are reported by their members, with the value of the member alone', () => {
    const range = Joi.object({ page: Joi.number().min(1).required(), style: Joi.string().valid('roman') });
    const json = {
      operation: { path: 'misc/x' },
      schema: Joi.object({
        ranges: jsonField(Joi, Joi.array().items(range), { what: 'a JSON array', longest: 999 }),
      }).prefs({ abortEarly: false }),
    } as unknown as CatalogOperation;
    expect(validateParams(json, { ranges: '[{"page":0,"style":"greek"},{}]' }).faults).to.deep.equal([
      { pointer: '/ranges/0/page', detail: 'ranges[0].page must be greater than or equal to 1; found 0' },
      { pointer: '/ranges/0/style', detail: 'ranges[0].style must be [roman]; found "greek"' },
      { pointer: '/ranges/1/page', detail: 'ranges[1].page is required' },
    ]);
  });

  it('are never repeated if they are secret', () => {
    expect(JSON.stringify(validateParams(entry, { password: 'hunter2' }).faults))
      .to.contain('/password')
      .and.not.contain('hunter2');
  });

  it('may contain named texts as one JSON object, as single fields, or both; single fields win', () => {
    const named = {
      operation: { path: 'misc/x' },
      schema: Joi.object({ map: mapField(Joi, 'texts'), level: Joi.number() }),
    } as unknown as CatalogOperation;
    const read = (raw: Record<string, unknown>) => validateParams(named, raw);
    expect(read({ map: '{"a":"1","b":2,"c":true,"d":null}' }).params).to.deep.equal({
      map: { a: '1', b: '2', c: 'true' },
    });
    expect(read({ 'map[a]': '1', 'map[b c]': '', 'level[a]': 'x', 'other[a]': 'x' })).to.deep.equal({
      params: { map: { a: '1', 'b c': '' } },
      ignored: ['level[a]', 'other[a]'],
      replaced: [],
      faults: [],
    });
    expect(read({ map: '{"a":"1","b":"2"}', 'map[b]': '3' }).params).to.deep.equal({ map: { a: '1', b: '3' } });
    expect(read({ map: '' }).params).to.deep.equal({});
    for (const map of ['x', '[1]', '"x"', '{', '{"a":{}}', '{"a":["1"]}', '{"a\\u0007":"1"}'])
      expect(
        read({ map }).faults.map(({ pointer }) => pointer.slice(0, 4)),
        map,
      ).to.deep.equal(['/map']);
    expect(
      ({} as Record<string, unknown>)['polluted'],
      JSON.stringify(read({ 'map[__proto__]': '{"polluted":1}', map: '{"__proto__":{"polluted":1}}' })),
    ).to.equal(undefined);
  });

  it('are quoted only in part if they are long', () => {
    expect(validateParams(entry, { name: 'x'.repeat(10_000) }).faults[0]?.detail.length).to.be.below(300);
  });
});

describe('the nearest name', () => {
  const names = ['general/rotate-pdf', 'general/merge-pdfs', 'misc/repair'];

  it('is the one that was probably meant', () => {
    expect(nearestName('general/rotat-pdf', names)).to.equal('general/rotate-pdf');
    expect(nearestName('GENERAL/Rotate-PDF', names)).to.equal('general/rotate-pdf');
  });

  it('is undefined if nothing is similar, or the name is absurd', () => {
    expect(nearestName('x', ['general/rotate-pdf'])).to.equal(undefined);
    expect(nearestName('general/rotate-pdf'.repeat(10_000), names)).to.equal(undefined);
  });

  it('has a pointer whose special characters are escaped', () => {
    expect(escapePointer('a/b~c')).to.equal('a~1b~0c');
  });
});
