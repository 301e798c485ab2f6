import { expect } from 'chai';
import type { CatalogOperation } from '@quire/catalog';
import Joi from 'joi';
import { nearestName } from '../settings/index.js';
import { escapePointer, validateParams } from './validate-params.js';

const entry = {
  operation: { path: 'misc/x', aliases: { compressionLevel: 'level' }, parts: [{ field: 'stampFile' }] },
  schema: Joi.object({ level: Joi.number().integer().min(1).max(9).default(5), list: Joi.array().items(Joi.string()).single(), password: Joi.string().max(3), name: Joi.string().valid('a', 'b') }),
} as unknown as CatalogOperation;

describe('Parameters of a call', () => {
  it('are converted, and get their defaults', () => {
    expect(validateParams(entry, { level: '7', list: 'a' })).to.deep.equal({ params: { level: 7, list: ['a'] }, ignored: [], faults: [] });
    expect(validateParams(entry, {}).params).to.deep.equal({ level: 5 });
  });

  it('may come under an alias; their own name wins', () => {
    expect(validateParams(entry, { compressionLevel: '3' })).to.deep.include({ params: { level: 3 }, ignored: [] });
    expect(validateParams(entry, { compressionLevel: '3', level: '4' })).to.deep.include({ params: { level: 4 }, ignored: ['compressionLevel'] });
  });

  it('that nobody knows are named, apart from what means something to the server', () => {
    expect(validateParams(entry, { fileInput: 'x', fileId: 'x', async: 'true', stampFile: 'x', other: '1', constructor: '1' }).ignored).to.deep.equal(['other', 'constructor']);
  });

  it('that are wrong are all told, with their place and what was found', () => {
    const { faults } = validateParams(entry, { level: '99', name: 'c' }, '/pipeline/2/parameters');
    expect(faults.map(({ pointer }) => pointer)).to.deep.equal(['/pipeline/2/parameters/level', '/pipeline/2/parameters/name']);
    expect(faults[0]?.detail).to.contain('99');
  });

  it('that are secret are never repeated', () => {
    expect(JSON.stringify(validateParams(entry, { password: 'hunter2' }).faults)).to.contain('/password').and.not.contain('hunter2');
  });

  it('that are long are repeated in part only', () => {
    expect(validateParams(entry, { name: 'x'.repeat(10_000) }).faults[0]?.detail.length).to.be.below(300);
  });
});

describe('The nearest name', () => {
  const names = ['general/rotate-pdf', 'general/merge-pdfs', 'misc/repair'];

  it('is the one that was probably meant', () => {
    expect(nearestName('general/rotat-pdf', names)).to.equal('general/rotate-pdf');
    expect(nearestName('GENERAL/Rotate-PDF', names)).to.equal('general/rotate-pdf');
  });

  it('is none when nothing is near, or the name is absurd', () => {
    expect(nearestName('x', ['general/rotate-pdf'])).to.equal(undefined);
    expect(nearestName('general/rotate-pdf'.repeat(10_000), names)).to.equal(undefined);
  });

  it('has a pointer whose special characters are escaped', () => {
    expect(escapePointer('a/b~c')).to.equal('a~1b~0c');
  });
});
