import { expect } from 'chai';
import { LINKED, NAMED } from './endpoint-answers.js';
import { nameSchemas, type NamedParts } from './schema-names.js';

const reference = (name: string) => ({ $ref: `#/components/schemas/${name}` });
const labelled = (label: string, schema: object) => ({ ...schema, 'x-meta': { [NAMED]: label } });
const text = { type: 'string' };

/** A document as the generator makes it: one call by the name of `readThing`, which answers with the schema. */
function generated(schema: object, schemas: Record<string, object>): NamedParts {
  return {
    paths: {
      '/thing': {
        get: { operationId: 'readThing', responses: { 200: { content: { 'application/json': { schema } } } } },
      },
    },
    components: { schemas },
  };
}

function answerOf(document: NamedParts): unknown {
  const call = document.paths['/thing']?.['get'] as
    { responses: { 200: { content: { 'application/json': { schema: unknown } } } } } | undefined;
  return call?.responses[200].content['application/json'].schema;
}

describe('the names of schemas', () => {
  it('call an answer by its call, and put what has no label where it is used', () => {
    const document = generated(reference('Model7'), {
      Model7: { type: 'object', properties: { config: reference('config') } },
      config: { type: 'object', properties: { on: { type: 'boolean' } } },
    });
    nameSchemas(document);
    expect(answerOf(document)).to.deep.equal(reference('ReadThingAnswer'));
    expect(document.components.schemas).to.deep.equal({
      ReadThingAnswer: {
        type: 'object',
        properties: { config: { type: 'object', properties: { on: { type: 'boolean' } } } },
      },
    });
  });

  it('call the items of a list, and each object among alternatives', () => {
    const document = generated(
      { anyOf: [reference('Model1'), { type: 'string' }] },
      { Model1: { type: 'array', items: reference('Model2') }, Model2: { type: 'object', properties: { id: text } } },
    );
    nameSchemas(document);
    expect(answerOf(document)).to.deep.equal({
      anyOf: [{ type: 'array', items: reference('ReadThingAnswerItem') }, { type: 'string' }],
    });
  });

  it('are labels, whatever the generator called what has them, and one where two say the same', () => {
    const thing = { type: 'object', properties: { config: reference('config') } };
    const document = generated(
      { anyOf: [reference('Thing'), reference('Model3')] },
      {
        Thing: labelled('Thing', thing),
        Model3: labelled('Thing', { ...thing, properties: { config: reference('Model4') } }),
        config: text,
        Model4: text,
      },
    );
    nameSchemas(document);
    expect(answerOf(document)).to.deep.equal({ anyOf: [reference('Thing'), reference('Thing')] });
    expect(Object.keys(document.components.schemas)).to.deep.equal(['Thing']);
  });

  it('tell apart what has one label and says another thing, and what may be null', () => {
    const schemas = {
      Thing: labelled('Thing', { type: 'object', properties: { a: text } }),
      Model1: labelled('Thing', { type: 'object', properties: { b: text } }),
      Model2: labelled('Thing', { type: 'object', nullable: true, properties: { a: text } }),
    };
    const document = generated({ anyOf: [reference('Thing'), reference('Model1'), reference('Model2')] }, schemas);
    nameSchemas(document);
    expect(answerOf(document)).to.deep.equal({
      anyOf: [reference('Thing'), reference('Thing2'), reference('ThingOrNull')],
    });
  });

  it('lead back to a schema that holds itself', () => {
    const document = generated(reference('Tree'), {
      Tree: labelled('Tree', {
        type: 'object',
        properties: { children: { type: 'array', items: { type: 'string', 'x-meta': { [LINKED]: 'Tree' } } } },
      }),
    });
    nameSchemas(document);
    expect(document.components.schemas['Tree'])
      .to.have.nested.property('properties.children.items')
      .that.deep.equals(reference('Tree'));
  });

  it('hold no characters that a name of a component must not have', () => {
    const document = generated(reference('Bad/Name'), {
      'Bad/Name': labelled('Bad Name', { type: 'object', properties: { a: text } }),
    });
    nameSchemas(document);
    expect(answerOf(document)).to.deep.equal(reference('Bad_Name'));
  });
});
