import { expect } from 'chai';
import { ServedDocument } from '../../answers/served-document.js';

describe('The check of answers against the served document', () => {
  const pages = {
    type: 'object',
    required: ['count'],
    properties: {
      count: { type: 'integer', minimum: 0, exclusiveMinimum: true },
      title: { type: 'string', nullable: true },
      more: {},
    },
  };
  const document = new ServedDocument({
    paths: {
      '/api/v1/things/{id}': {
        get: {
          responses: {
            200: { content: { 'application/json': { schema: { $ref: '#/components/schemas/Pages' } } } },
            404: {},
          },
        },
      },
    },
    components: { schemas: { Pages: pages } },
  });
  const faultsOf = (
    body: unknown,
    { status = 200, path = '/api/v1/things/7', mediaType = 'application/json' } = {},
  ): string[] => document.faultsOf({ method: 'GET', path, status, mediaType, body: JSON.stringify(body) });

  it('accepts an answer that is as declared, also with a path prefix of the operator', () => {
    expect(faultsOf({ count: 1, title: null, more: [1] })).to.deep.equal([]);
    expect(faultsOf({ count: 1 }, { path: '/tools/api/v1/things/7' })).to.deep.equal([]);
    expect(faultsOf({}, { path: '/api/v1/others' }), 'a call that nobody documents').to.deep.equal([]);
  });

  it('names the call, the path and the value', () => {
    const call = 'GET /api/v1/things/{id} answered 200:';
    expect(faultsOf({ count: 'two' })).to.deep.equal([`${call} /count must be integer, found "two"`]);
    expect(faultsOf({ count: 1, size: 3 })).to.deep.equal([`${call} /size is not declared`]);
    expect(faultsOf({ count: 0 })).to.deep.equal([`${call} /count must be > 0, found 0`]);
    expect(faultsOf({})).to.deep.equal([`${call} the body must have required property 'count', found {}`]);
  });

  it('reports statuses that are not declared, of refusals too', () => {
    expect(faultsOf({ count: 1 }, { status: 201 })).to.deep.equal([
      'GET /api/v1/things/{id} answered 201, but declares 200, 404',
    ]);
    expect(faultsOf({}, { status: 409, mediaType: 'application/problem+json' })).to.deep.equal([
      'GET /api/v1/things/{id} answered 409, but declares 200, 404',
    ]);
    expect(faultsOf({}, { status: 404, mediaType: 'application/problem+json' })).to.deep.equal([]);
  });
});
