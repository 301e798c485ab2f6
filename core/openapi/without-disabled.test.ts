import { expect } from 'chai';
import type { OpenApiDocument } from './complete-document.js';
import { withoutCalls } from './without-disabled.js';

describe('the current document', () => {
  it('has no links to calls of a plugin that is not loaded', () => {
    const whole: OpenApiDocument = {
      servers: [],
      components: { schemas: {} },
      paths: {
        '/api/v1/misc/things': {
          post: {
            operationId: 'makeThing',
            responses: {
              200: {
                description: 'Made',
                links: { makeThing: { operationId: 'makeThing' }, otherThing: { operationId: 'otherThing' } },
              },
            },
          },
        },
      },
    };
    expect(withoutCalls(whole, new Set()).paths['/api/v1/misc/things']?.['post']?.responses[200])
      .to.have.property('links')
      .that.has.all.keys('makeThing');
  });
});
