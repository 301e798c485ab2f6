import { expect } from 'chai';
import { isQuireError } from '@quire/registry/errors';
import { loadSettings } from '../settings/index.js';
import { storeAddress, type StoreAddress } from './store-address.js';

const PREFIX = 'SYSTEM_DATASOURCE_';
const read = (env: Readonly<Record<string, string>>): StoreAddress | undefined =>
  storeAddress(loadSettings({ env, cwd: '/nowhere' }));
/** Of `system.datasource.*`, by the last part of their environment names. */
const source = (values: Readonly<Record<string, string>>, more: Readonly<Record<string, string>> = {}) =>
  read({
    [`${PREFIX}ENABLECUSTOMDATABASE`]: 'true',
    ...Object.fromEntries(Object.entries(values).map(([name, value]) => [PREFIX + name, value])),
    ...more,
  });
const refusal = (work: () => unknown): string => {
  try {
    work();
    return 'none';
  } catch (error) {
    return isQuireError(error) && error.code === 'SETTINGS_INVALID' ? error.message : String(error);
  }
};

describe('The store of the settings', () => {
  it('is embedded unless a MongoDB is named', () => {
    expect(read({})).to.equal(undefined);
    expect(read({ STORE_MONGODB_URL: 'mongodb://a', STORE_MONGODB_DATABASE: 'pdf' })).to.deep.equal({
      url: 'mongodb://a',
      database: 'pdf',
      setting: 'store.mongodb.url',
    });
    expect(read({ SYSTEM_DATASOURCE_CUSTOMDATABASEURL: 'mongodb://a/b' }), 'not enabled').to.equal(undefined);
  });

  it('is the MongoDB of customDatabaseUrl, whose path names the database', () => {
    const CUSTOMDATABASEURL = 'mongodb://me:it@a:1,b:2/pdf?replicaSet=rs';
    expect(source({ CUSTOMDATABASEURL })).to.deep.equal({
      url: CUSTOMDATABASEURL,
      database: 'pdf',
      setting: 'system.datasource.customDatabaseUrl',
    });
    expect(source({ CUSTOMDATABASEURL: 'mongodb+srv://a' })).to.include({ database: 'quire' });
    expect(source({ CUSTOMDATABASEURL: 'mongodb://a/?tls=true', NAME: 'pdf' })).to.include({ database: 'pdf' });
  });

  it('is composed of host, port, name, user and password, with the defaults of MongoDB', () => {
    expect(source({ TYPE: 'mongodb' })).to.deep.include({ url: 'mongodb://localhost:27017/', database: 'quire' });
    expect(
      source({ TYPE: 'mongodb', HOSTNAME: 'db', PORT: '27018', NAME: 'pdf', USERNAME: 'me@x', PASSWORD: 'a/b:c' }),
    ).to.deep.include({ url: 'mongodb://me%40x:a%2Fb%3Ac@db:27018/', database: 'pdf' });
    expect(source({ CUSTOMDATABASEURL: 'mongodb://a/b', USERNAME: 'me', PASSWORD: 'it' })).to.include({
      url: 'mongodb://me:it@a/b',
    });
    expect(refusal(() => source({ TYPE: 'mongodb', PASSWORD: 'secret' })))
      .to.match(/system\.datasource\.username is not set/)
      .and.not.include('secret');
  });

  it('is never an SQL database: the start says which setting works instead', () => {
    expect(refusal(() => source({}))).to.match(
      /system\.datasource\.type is postgresql.*customDatabaseUrl.*mongodb\.url/,
    );
    expect(refusal(() => source({ TYPE: 'h2' }))).to.match(/is h2/);
    const message = refusal(() => source({ CUSTOMDATABASEURL: 'jdbc:postgresql://db:5432/x?password=hunter2' }));
    expect(message)
      .to.match(/^environment SYSTEM_DATASOURCE_CUSTOMDATABASEURL, .*SQL.*enableCustomDatabase to false/)
      .and.not.include('hunter2');
  });

  it('is never one of two that the settings name', () => {
    const own = { STORE_MONGODB_URL: 'mongodb://a' };
    expect(refusal(() => source({ CUSTOMDATABASEURL: 'mongodb://b' }, own))).to.match(
      /store\.mongodb\.url names another store/,
    );
    expect(source({ CUSTOMDATABASEURL: 'mongodb://a' }, own)).to.include({ url: 'mongodb://a', database: 'quire' });
  });
});
