import { expect } from 'chai';
import { LINKED, NAMED } from './endpoint-answers.js';
import { nameSchemas, type NamedParts } from './schema-names.js';

const reference = (name: string) => ({ $ref: `#/components/schemas/${name}` });
const labelled = (label: string, schema: object) => ({ ...schema, 'x-meta': { [NAMED]: label } });
const text = { type: 'string' };

/** Returns a document as the generator creates it, with a call `readThing` that answers with the schema. */
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
    | { responses: { 200: { content: { 'application/json': { schema: unknown } } } } }
    | undefined;
  return call?.responses[200].content['application/json'].schema;
}

describe('names of schemas', () => {
  it('name an answer after its call, and inline schemas without a label', () => {
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

  it('name the items of a list, and each object among alternatives', () => {
    const document = generated(
      { anyOf: [reference('Model1'), { type: 'string' }] },
      { Model1: { type: 'array', items: reference('Model2') }, Model2: { type: 'object', properties: { id: text } } },
    );
    nameSchemas(document);
    expect(answerOf(document)).to.deep.equal({
      anyOf: [{ type: 'array', items: reference('ReadThingAnswerItem') }, { type: 'string' }],
    });
  });

  it("are labels, whatever the generator's name was, and one for equal schemas", () => {
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

  it('distinguish different schemas with the same label, and nullable ones', () => {
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

  it('refer back to a schema that contains itself', () => {
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

  it('contain no characters that are invalid in a component name', () => {
    const document = generated(reference('Bad/Name'), {
      'Bad/Name': labelled('Bad Name', { type: 'object', properties: { a: text } }),
    });
    nameSchemas(document);
    expect(answerOf(document)).to.deep.equal(reference('Bad_Name'));
  });
});
