import { expect } from 'chai';
import { json, send } from '../support/client.js';
import { sessionOf } from '../support/login.js';
import { SamlSetup } from '../support/saml-login.js';
import { ScimClient, scimToken, userUrn } from '../support/scim.js';

/** SCIM with the accounts of an identity provider of SAML. */
async function setUp(saml: Readonly<Record<string, unknown>> = {}): Promise<SamlSetup> {
  return new SamlSetup().start(
    // Nobody gets an account by logging in.
    { autoCreateUser: false, ...saml },
    {},
    { scim: { enabled: true, token: scimToken, externalIdIsSubjectOf: 'quire', authenticationType: 'saml2' } },
  );
}

describe('SCIM whose externalId is the subject of SAML', () => {
  it('links an account by the NameID, whatever the name is at the login', async () => {
    const setup = await setUp();
    const scim = new ScimClient(setup.server);
    const { id } = await scim.createUser('ada', { externalId: 'name-id-of-ada' });
    const token = await setup.token({ nameId: 'name-id-of-ada', attributes: { username: 'another.name' } });
    expect(await setup.user(token)).to.include({ username: 'ada', authenticationType: 'saml2' });
    const thief = await setup.logIn({ nameId: 'name-id-of-eve', attributes: { username: 'ada' } });
    expect(thief.searchParams.get('errorOAuth'), 'a name is not enough').to.equal('userAlreadyExistsWeb');

    await scim.patch(`/Users/${id}`, { op: 'replace', path: 'externalId', value: 'next-id-of-ada' });
    expect((await setup.logIn({ nameId: 'name-id-of-ada', attributes: {} })).hash, 'the former one').to.equal('');
    expect(await setup.user(await setup.token({ nameId: 'next-id-of-ada', attributes: {} }))).to.include({
      username: 'ada',
    });
    await setup.stop();
  });

  it('follows an attribute that is the subject', async () => {
    const setup = await setUp({ subjectAttribute: 'employeeNumber' });
    await new ScimClient(setup.server).createUser('grace', { externalId: '4711' });
    const attributes = { employeeNumber: '4711', username: 'somebody' };
    expect(await setup.user(await setup.token({ attributes }))).to.include({ username: 'grace' });
    // A NameID with the same text is not the attribute.
    const other = await setup.logIn({ nameId: '4711', attributes: { employeeNumber: '1', username: 'grace' } });
    expect(other.hash).to.equal('');
    await setup.stop();
  });

  it('refuses a subject that belongs to another account, and changes nothing', async () => {
    const setup = await setUp();
    const scim = new ScimClient(setup.server);
    const first = await scim.createUser('first', { externalId: 'the-subject' });
    await scim.patch(`/Users/${first.id}`, { op: 'replace', path: 'externalId', value: 'the-subject-2' });
    await scim.createUser('second', { externalId: 'the-subject' });
    const taken = await scim.send('POST', '/Users', {
      schemas: [userUrn],
      userName: 'third',
      externalId: 'the-subject',
    });
    expect(taken.status).to.equal(409);
    expect(await scim.names('userName eq "third"')).to.deep.equal([]);
    await setup.stop();
  });

  it('is to be tried again while the identity provider is not known, and creates nobody meanwhile', async () => {
    const setup = await setUp();
    setup.issuer.away = true;
    const scim = new ScimClient(setup.server);
    const sent = { schemas: [userUrn], userName: 'ada', externalId: 'name-id-of-ada' };
    const answer = await scim.send('POST', '/Users', sent);
    expect(answer.status, answer.body.toString()).to.equal(502);
    expect(json<{ detail: string }>(answer).detail).to.match(/^Company could not be reached/);
    const boss = await sessionOf(setup.server);
    const page = await send(`${setup.server.url}/api/v1/proprietary/ui-data/admin-settings`, { headers: boss });
    expect(json<{ users: { username: string }[] }>(page).users.map(({ username }) => username)).not.to.include('ada');
    await setup.stop();
  });
});
