import { expect } from 'chai';
import { AccessError, InputError, OperationalError } from '@quire/registry';
import { asQuireError, problemOf, requestId } from './error-body.js';

const at = { method: 'post', path: '/api/v1/x' };
const problem = (error: Parameters<typeof problemOf>[0]) =>
  problemOf(error, { path: '/api/v1/x', id: 'request-1', method: 'post', now: new Date(0) });

describe('a thrown value', () => {
  it('keeps its code if it has one', () => {
    const error = new InputError('INPUT_INVALID', { detail: 'x' });
    expect(asQuireError(error, at)).to.equal(error);
  });

  it('reports a full disk', () => {
    for (const code of ['ENOSPC', 'EDQUOT'])
      expect(asQuireError(Object.assign(new Error('x'), { code }), at).code).to.equal('STORAGE_FULL');
  });

  it('of the HTTP layer becomes the code of its status', () => {
    const boom = (statusCode: number): Error => Object.assign(new Error('Boom says'), { output: { statusCode } });
    expect(asQuireError(boom(404), at).code).to.equal('NOT_FOUND');
    expect(asQuireError(boom(404), { ...at, allowed: ['GET'] }).code).to.equal('METHOD_NOT_ALLOWED');
    expect(asQuireError(boom(413), at).code).to.equal('INPUT_TOO_LARGE');
    expect(asQuireError(boom(415), at).code).to.equal('INPUT_MEDIA_TYPE');
    expect(asQuireError(boom(418), at).code).to.equal('HTTP_REFUSED');
    expect(asQuireError(boom(500), at).code).to.equal('INTERNAL');
  });

  it('of any other type is an internal error, and its text is not exposed', () => {
    for (const value of [new TypeError('a secret'), 'a secret', undefined, null, 7, { message: 'a secret' }]) {
      const error = asQuireError(value, at);
      expect(error.code).to.equal('INTERNAL');
      expect(JSON.stringify(problem(error).body)).not.to.contain('secret');
    }
  });
});

describe('a problem document', () => {
  it('has the members of RFC 9457 and the path of the request', () => {
    const { status, body } = problem(
      new InputError('INPUT_INVALID', { detail: 'x is wrong' }, [{ pointer: '/x', detail: 'is wrong' }]),
    );
    expect(status).to.equal(400);
    expect(body).to.deep.include({
      type: '/errors/validation',
      title: 'Invalid parameter',
      status: 400,
      detail: 'x is wrong',
      instance: '/api/v1/x',
      code: 'INPUT_INVALID',
      requestId: 'request-1',
      errors: [{ pointer: '/x', detail: 'is wrong' }],
      timestamp: '1970-01-01T00:00:00.000Z',
      path: '/api/v1/x',
    });
  });

  it('says when to try again', () => {
    expect(problem(new OperationalError('QUEUE_FULL', { seconds: 7 })).headers).to.deep.equal({ 'retry-after': '7' });
    expect(problem(new OperationalError('WORKER_LOST')).headers).to.deep.equal({ 'retry-after': '1' });
    expect(problem(new InputError('INPUT_INVALID', { detail: 'x' })).headers).to.deep.equal({});
  });

  it('contains the members that existing clients read', () => {
    expect(problem(new AccessError('KEY_INVALID', { given: false })).body).to.include({
      error: 'Authentication required',
    });
    expect(problem(new AccessError('KEY_INVALID', { given: true })).body).to.include({ error: 'Invalid API Key' });
    expect(
      problemOf(new AccessError('KEY_INVALID', { given: true }), {
        path: '/actuator/prometheus',
        id: 'request-1',
        method: 'get',
        now: new Date(0),
      }).body,
    ).to.include({ error: 'Unauthorized', status: 401 });
    expect(problem(new AccessError('TOKEN_INVALID', { detail: 'Token expired' })).body).to.include({
      error: 'Token expired',
    });
    expect(problem(new AccessError('ACCOUNT_DISABLED')).body).to.include({ error: 'Forbidden', status: 403 });
    expect(problem(new AccessError('REFRESH_LIMIT', { attempts: 3 })).body).to.include({ max_attempts: 3 });
    expect(problem(new AccessError('ACCOUNT_LINK_REQUIRED')).body).to.include({
      error: 'ACCOUNT_LINK_REQUIRED',
      reason: 'OVER_LIMIT',
    });
    const standing = {
      subscribed: true,
      state: 'LIMIT',
      spendUnits: 12,
      capUnits: 12,
      periodEnd: '2026-12-01T00:00:00.000Z',
    };
    expect(problem(new AccessError('PAYG_LIMIT_REACHED', standing)).body).to.include({
      error: 'PAYG_LIMIT_REACHED',
      message: 'The credits or the spend cap are used up.',
      ...standing,
    });
    expect(
      problem(
        new AccessError('FEATURE_DEGRADED', {
          gates: 'licence.team',
          subscribed: false,
          state: 'ACTIVE',
          spendUnits: 3,
        }),
      ).body,
    ).to.deep.include({
      error: 'FEATURE_DEGRADED',
      missingGates: ['licence.team'],
      subscribed: false,
      state: 'ACTIVE',
      spendUnits: 3,
      capUnits: null,
      periodEnd: null,
    });
    expect(problem(new AccessError('SIGNUP_REQUIRED', { category: 'AI' })).body).to.include({
      status: 401,
      error: 'SIGNUP_REQUIRED',
      category: 'AI',
    });
    expect(problem(new AccessError('DAILY_LIMIT_REACHED', { kind: 'API', seconds: 60 }))).to.deep.include({
      status: 429,
      headers: { 'retry-after': '60', 'x-rate-limit-retry-after-seconds': '60' },
    });
    expect(problem(new InputError('INPUT_FILE_MISSING', { field: 'fileInput' })).body).to.include({
      partName: 'fileInput',
    });
    expect(problem(new InputError('INPUT_TOO_LARGE', { limit: 2_097_152 })).body).to.include({
      maxSizeBytes: 2_097_152,
      maxSizeMB: 2,
    });
    expect(problem(new InputError('METHOD_NOT_ALLOWED', { method: 'GET', allowed: 'POST, PUT' }))).to.deep.include({
      headers: { allow: 'POST, PUT' },
    });
    expect(problem(new OperationalError('PROGRAM_MISSING', { program: 'soffice' })).body).to.include({
      program: 'soffice',
      status: 503,
    });
  });

  it('never has the status 0', () => {
    expect(problem(asQuireError(Object.assign(new Error('x'), { output: { statusCode: 0 } }), at)).status).to.equal(
      500,
    );
  });
});

describe('a request id', () => {
  it("is the client's if it is harmless", () => {
    expect(requestId('abc-123.DEF_456')).to.equal('abc-123.DEF_456');
  });

  it('is a new one otherwise', () => {
    for (const given of [
      undefined,
      '',
      'short',
      'a'.repeat(65),
      'with space',
      'a\r\nX: y-------',
      '<script>alert(1)',
    ]) {
      const id = requestId(given);
      expect(id).not.to.equal(given);
      expect(id).to.match(/^[0-9a-f-]{36}$/);
    }
  });
});
