import { expect } from 'chai';
import { isDuplicateRecord, type Records, type Store } from '../../core/store/index.js';
import type { TemporaryStore } from './temporary-store.js';

interface Person {
  readonly id: string;
  readonly name: string;
  readonly team: string | null;
  readonly age: number;
  readonly active: boolean;
  readonly mail?: string | undefined;
  readonly tags?: readonly string[];
}

const anna: Person = {
  id: 'a',
  name: 'Anna',
  team: 'red',
  age: 31,
  active: true,
  mail: 'anna@x',
  tags: ['one', 'two'],
};
const bert: Person = { id: 'b', name: 'Bert', team: 'red', age: 25, active: false };
const carl: Person = { id: 'c', name: 'Carl', team: null, age: 47, active: true };

/** Tests for every adapter of Records. */
export function describeRecords(make: () => Promise<TemporaryStore>): void {
  let home: TemporaryStore;
  let store: Store;
  let people: Records<Person>;
  const open = async (): Promise<void> => {
    store = await home.open();
    people = store.records<Person>('people', {
      keys: ['team', 'age', ['team', 'active', 'age']],
      unique: ['mail', ['name', 'team']],
    });
  };
  beforeEach(async () => {
    home = await make();
    await open();
  });
  afterEach(async () => {
    await store.close();
    await home.remove();
  });
  const fill = async (): Promise<void> => {
    for (const person of [anna, bert, carl]) await people.insert(person);
  };
  const ids = (found: readonly Person[]): string[] => found.map((person) => person.id);

  it('returns what was inserted, and nothing for an unknown id', async () => {
    await fill();
    expect(await people.get('a')).to.deep.equal(anna);
    expect(await people.get('zz')).to.equal(undefined);
  });

  it('finds and counts by fields that are indexed together', async () => {
    await fill();
    await people.insert({ ...bert, id: 'd', name: 'Dora', active: true });
    expect(await people.count({ team: 'red', active: true })).to.equal(2);
    expect(ids(await people.find({ team: 'red', active: false }))).to.deep.equal(['b']);
    await people.update('b', { set: { active: true } });
    const sort = [{ field: 'age', order: 'descending' }] as const;
    expect(ids(await people.find({ team: 'red', active: true }, { sort, limit: 1 }))).to.deep.equal(['a']);
    expect(ids(await people.find({ team: null, active: true }))).to.deep.equal(['c']);
  });

  it('refuses a second record with the same id or the same unique field', async () => {
    await fill();
    const refused = async (person: Person): Promise<unknown> =>
      people.insert(person).then(
        () => undefined,
        (error: unknown) => error,
      );
    expect(isDuplicateRecord(await refused({ ...anna, mail: 'other@x', name: 'Other' }))).to.equal(true);
    expect(isDuplicateRecord(await refused({ ...anna, id: 'd', name: 'Other' }))).to.equal(true);
    expect(isDuplicateRecord(await refused({ ...bert, id: 'd' }))).to.equal(true);
    expect(await people.count()).to.equal(3);
  });

  it('does not treat missing and null values as conflicts', async () => {
    await fill();
    await people.insert({ ...carl, id: 'd' });
    expect(await people.count({ name: 'Carl' })).to.equal(2);
  });

  it('keeps unique fields unique when they change, and releases old values', async () => {
    await fill();
    const outcome = (work: Promise<unknown>): Promise<unknown> =>
      work.then(
        () => 'done',
        (error: unknown) => (isDuplicateRecord(error) ? 'conflict' : error),
      );
    expect(await outcome(people.update('b', { set: { mail: 'anna@x' } }))).to.equal('conflict');
    expect(await outcome(people.put({ ...bert, mail: 'anna@x' }))).to.equal('conflict');
    await people.update('a', { set: { mail: 'new@x' } });
    expect(await outcome(people.update('b', { set: { mail: 'anna@x' } }))).to.equal('done');
    await people.put({ ...anna, name: 'Anne', mail: undefined });
    expect(await outcome(people.update('c', { set: { mail: 'new@x' } }))).to.equal('done');
    expect(await people.get('b')).to.deep.equal({ ...bert, mail: 'anna@x' });
    expect((await people.findOne({ mail: 'new@x' }))?.id).to.equal('c');
  });

  it('keeps groups of fields unique when one field of them changes', async () => {
    await fill();
    await people.insert({ ...carl, id: 'd' });
    const outcome = (id: string, set: Partial<Omit<Person, 'id'>>): Promise<unknown> =>
      people.update(id, { set }).then(
        (record) => (record ? 'done' : 'missing'),
        (error: unknown) => (isDuplicateRecord(error) ? 'conflict' : error),
      );
    expect([
      await outcome('c', { team: 'red' }),
      await outcome('d', { team: 'red' }),
      await outcome('d', { name: 'Anna' }),
      await outcome('d', { team: 'red' }),
    ]).to.deep.equal(['done', 'conflict', 'done', 'conflict']);
    expect([
      await outcome('a', { team: null }),
      await outcome('d', { team: 'red' }),
      await outcome('zz', { team: 'red' }),
    ]).to.deep.equal(['done', 'done', 'missing']);
    // Two concurrent updates change one field each of the same record.
    await Promise.all([people.update('b', { set: { name: 'Berta' } }), people.update('b', { set: { team: 'blue' } })]);
    expect(await people.insert({ ...bert, id: 'e' }).then((record) => record.id)).to.equal('e');
    expect(
      isDuplicateRecord(
        await people.insert({ ...bert, id: 'f', name: 'Berta', team: 'blue' }).catch((error: unknown) => error),
      ),
    ).to.equal(true);
  });

  it('finds by equality on indexed and other fields, with null for missing ones', async () => {
    await fill();
    expect(ids(await people.find({ team: 'red' }, { sort: [{ field: 'age', order: 'ascending' }] }))).to.deep.equal([
      'b',
      'a',
    ]);
    expect(ids(await people.find({ active: true }, { sort: [{ field: 'age', order: 'descending' }] }))).to.deep.equal([
      'c',
      'a',
    ]);
    expect(ids(await people.find({ team: null }))).to.deep.equal(['c']);
    expect(ids(await people.find({ id: 'b', name: 'Bert' }))).to.deep.equal(['b']);
    expect(await people.find({ name: "x' OR '1'='1" })).to.deep.equal([]);
  });

  it('limits, skips and bounds what it finds', async () => {
    await fill();
    const sort = [{ field: 'age', order: 'ascending' }] as const;
    expect(ids(await people.find({}, { sort, limit: 1, skip: 1 }))).to.deep.equal(['a']);
    expect(await people.find({}, { limit: 0 })).to.deep.equal([]);
    expect(ids(await people.find({}, { sort, atMost: { age: 31 } }))).to.deep.equal(['b', 'a']);
    expect(await people.count({ team: 'red' }, { atMost: { age: 30 } })).to.equal(1);
    expect((await people.findOne({ team: 'red' }, { sort }))?.id).to.equal('b');
  });

  it('goes through all that match, with the wanted fields only, while others write', async () => {
    const many = Array.from({ length: 1050 }, (_, n) => ({
      ...bert,
      id: `n${n}`,
      name: `N${n}`,
      team: `t${n}`,
      age: n,
    }));
    await Promise.all(many.map((person) => people.insert(person)));
    await people.insert(carl);
    const found: object[] = [];
    for await (const person of people.scan({ active: false }, ['age', 'mail'])) {
      if (found.length === 0) await people.delete('a');
      found.push(person);
      if (found.length % 100 === 0)
        await people.insert({ ...anna, id: `later${found.length}`, mail: undefined, team: null });
    }
    expect(found).to.have.deep.members(many.map(({ id, age }) => ({ id, age })));
    for await (const person of people.scan({ team: 't7' }, [])) expect(person).to.deep.equal({ id: 'n7' });
    const first = await people.scan({}, ['name']).next();
    expect(first.value).to.have.all.keys('id', 'name');
  });

  it('sets and increments in one step and returns the new record', async () => {
    await fill();
    expect(await people.update('a', { set: { team: 'blue' }, inc: { age: 1 } })).to.deep.equal({
      ...anna,
      team: 'blue',
      age: 32,
    });
    expect(ids(await people.find({ team: 'blue' }))).to.deep.equal(['a']);
    expect(await people.update('zz', { set: { team: 'blue' } })).to.equal(undefined);
  });

  it('changes nothing when the condition does not hold', async () => {
    await fill();
    expect(await people.update('a', { set: { age: 1 } }, { team: 'blue' })).to.equal(undefined);
    expect((await people.get('a'))?.age).to.equal(31);
    expect((await people.update('c', { set: { age: 1 } }, { team: null }))?.age).to.equal(1);
  });

  it('changes nothing beyond a bound, and lets no more concurrent changes pass than fit', async () => {
    await fill();
    expect(await people.update('a', { inc: { age: 1 } }, {}, { atMost: { age: 30 } })).to.equal(undefined);
    expect((await people.update('a', { inc: { age: 1 } }, {}, { atMost: { age: 31 } }))?.age).to.equal(32);
    expect(await people.update('a', { inc: { age: 1 } }, { team: 'none' }, { atMost: { age: 99 } })).to.equal(
      undefined,
    );
    const passed = await Promise.all(
      Array.from({ length: 20 }, () => people.update('b', { inc: { age: 1 } }, {}, { atMost: { age: 29 } })),
    );
    expect(passed.filter((record) => record !== undefined)).to.have.length(5);
    expect((await people.get('b'))?.age).to.equal(30);
  });

  it('does not match a bound where the field is missing', async () => {
    await fill();
    expect(await people.update('b', { inc: { age: 1 } }, {}, { atMost: { mail: 'zzz' } })).to.equal(undefined);
    expect((await people.update('a', { inc: { age: 1 } }, {}, { atMost: { mail: 'zzz' } }))?.age).to.equal(32);
  });

  it('lets exactly one of many concurrent claims win', async () => {
    await fill();
    const claims = await Promise.all(
      Array.from({ length: 20 }, (_, n) => people.update('c', { set: { team: `t${n}` } }, { team: null })),
    );
    expect(claims.filter((claim) => claim !== undefined)).to.have.length(1);
  });

  it('loses none of many concurrent increments', async () => {
    await fill();
    await Promise.all(Array.from({ length: 50 }, () => people.update('b', { inc: { age: 1 } })));
    expect((await people.get('b'))?.age).to.equal(75);
  });

  it('replaces or adds with put', async () => {
    await people.put(anna);
    await people.put({ ...anna, age: 5 });
    expect((await people.get('a'))?.age).to.equal(5);
    expect(await people.count()).to.equal(1);
  });

  it('deletes one record, only while the condition holds', async () => {
    await fill();
    expect(await people.delete('a', { team: 'blue' })).to.equal(false);
    expect(await people.delete('a', { team: 'red' })).to.equal(true);
    expect(await people.delete('a')).to.equal(false);
  });

  it('deletes all matches and returns their number', async () => {
    await fill();
    expect(await people.deleteMany({ team: 'red' }, { atMost: { age: 30 } })).to.equal(1);
    expect(await people.deleteMany({})).to.equal(2);
    expect(await people.count()).to.equal(0);
  });

  it('keeps records after closing and opening', async () => {
    await fill();
    await store.close();
    await open();
    expect(await people.get('a')).to.deep.equal(anna);
    expect(await store.ready()).to.equal(true);
  });

  it('keeps record sets apart', async () => {
    await fill();
    expect(await store.records<Person>('others').count()).to.equal(0);
  });
}
