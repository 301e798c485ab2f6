import { expect } from 'chai';
import { auditTypeOf, subjectOf, type AuditedCall } from './audit-calls.js';

const call = (method: string, path: string, more: Partial<AuditedCall> = {}): string | undefined =>
  auditTypeOf({
    method,
    path: path.startsWith('/') ? path : `/api/v1/${path}`,
    access: {},
    operation: undefined,
    status: 200,
    withWrongKey: false,
    ...more,
  });

describe('the event type of a call', () => {
  it('follows from the route and the status', () => {
    expect([
      call('POST', 'auth/login'),
      call('POST', 'auth/login', { status: 401 }),
      call('POST', 'auth/login', { status: 429 }),
      call('POST', 'auth/passkeys/login/begin'),
      call('POST', 'auth/passkeys/login/finish'),
      call('POST', 'auth/passkeys/login/finish', { status: 400 }),
      call('POST', 'auth/logout'),
    ]).to.deep.equal([
      'USER_LOGIN',
      'USER_FAILED_LOGIN',
      'USER_FAILED_LOGIN',
      'HTTP_REQUEST',
      'USER_LOGIN',
      'USER_FAILED_LOGIN',
      'USER_LOGOUT',
    ]);
    for (const path of [
      'user/admin/saveUser',
      'user/update-api-key',
      'user/admin/deleteUser/{username}',
      'team/addUser',
      'invite/accept/{token}',
      'auth/mfa/enable',
      'auth/passkeys/registration/finish',
    ])
      expect(call('POST', path), path).to.equal('USER_PROFILE_UPDATE');
    for (const [method, path] of [
      ['PUT', 'admin/settings'],
      ['POST', 'admin/server-certificate/generate'],
      ['GET', 'database/delete/{fileName}'],
      ['DELETE', 'integrations/{id}'],
      ['POST', 'settings/update-enable-analytics'],
    ] as const)
      expect(call(method, path), path).to.equal('SETTINGS_CHANGED');
    expect(call('POST', 'proprietary/ui-data/audit-clear-all', { access: { role: 'admin' } })).to.equal(
      'SETTINGS_CHANGED',
    );
    for (const [method, path] of [
      ['POST', 'storage/files'],
      ['GET', 'storage/files/{fileId}/download'],
      ['GET', 'general/files/{fileId}'],
      ['GET', 'general/job/{jobId}/result'],
      ['DELETE', 'storage/folders/{folderId}'],
    ] as const)
      expect(call(method, path), path).to.equal('FILE_OPERATION');
    expect([
      call('POST', 'pipeline/handleData'),
      call('POST', 'anything/of-a-plugin', { operation: 'anything/of-a-plugin' }),
      call('POST', 'ai/orchestrate'),
    ]).to.deep.equal(['PDF_PROCESS', 'PDF_PROCESS', 'PDF_PROCESS']);
    for (const [method, path] of [
      ['GET', 'user/users'],
      ['GET', 'storage/files'],
      ['GET', 'general/job/{jobId}'],
      ['POST', 'pipeline/validate'],
      ['GET', 'audit/data'],
    ] as const)
      expect(call(method, path), path).to.equal('HTTP_REQUEST');
  });

  it('is a failed login for a wrong key on any route, but not for an expired session', () => {
    expect([
      call('POST', 'x/y', { operation: 'x/y', status: 401, withWrongKey: true }),
      call('GET', 'user/users', { status: 401 }),
      call('GET', 'user/users', { status: 403, withWrongKey: true }),
    ]).to.deep.equal(['USER_FAILED_LOGIN', 'HTTP_REQUEST', 'HTTP_REQUEST']);
  });

  it('is undefined for probes, pages and unknown addresses', () => {
    for (const path of ['/livez', '/actuator/health', '/{p*}', '/swagger-ui/index.html', 'info/status', 'info/health'])
      expect(call('GET', path), path).to.equal(undefined);
  });
});

describe('the account that a call is about', () => {
  it('is the user name in the path, fields or query, unless it is too long', () => {
    const about = (more: object) => subjectOf({ params: {}, payload: {}, query: {}, ...more });
    expect([
      about({ params: { username: 'ada' } }),
      about({ payload: { username: 'bob', password: 'x' } }),
      about({ query: { username: 'eve' } }),
      about({}),
      about({ payload: { username: 7 } }),
      about({ payload: { username: 'x'.repeat(321) } }),
    ]).to.deep.equal(['ada', 'bob', 'eve', undefined, undefined, undefined]);
  });
});
