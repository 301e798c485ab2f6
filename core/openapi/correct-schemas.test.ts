import { expect } from 'chai';
import Joi from 'joi';
import { correctSchemas } from './correct-schemas.js';
import { documentingJoi } from './endpoint-answers.js';

/** Returns the schema as it is corrected among the components. */
function corrected(schema: object): object | undefined {
  const document = { paths: {}, components: { schemas: { Thing: schema } } };
  correctSchemas(document);
  return (document.components.schemas as Record<string, object>)['Thing'];
}

/** Returns a field of a form, and a parameter, as they are corrected. */
function correctedCall(field: object, parameter: object): { field: unknown; parameter: unknown } {
  const parameters = [{ name: 'from', in: 'query', schema: parameter }];
  const requestBody = { content: { 'multipart/form-data': { schema: { properties: { field } } } } };
  correctSchemas({ paths: { '/thing': { post: { parameters, requestBody } } }, components: { schemas: {} } });
  return {
    field: requestBody.content['multipart/form-data'].schema.properties.field,
    parameter: parameters[0]?.schema,
  };
}

describe('corrections of generated schemas', () => {
  it('give numbers the width that their values need', () => {
    expect(corrected({ type: 'integer' })).to.deep.equal({ type: 'integer', format: 'int64' });
    expect(corrected({ type: 'integer', maximum: 100 })).to.deep.equal({ type: 'integer', maximum: 100 });
    expect(corrected({ type: 'number' })).to.deep.equal({ type: 'number', format: 'double' });
    expect(corrected({ type: 'number', enum: [0, 90] })).to.deep.equal({ type: 'integer', enum: [0, 90] });
    expect(corrected({ type: 'number', enum: [0.5, 1] })).to.deep.equal({ type: 'number', enum: [0.5, 1] });
  });

  it('name the format of times in answers, and not in parameters, where a day is enough', () => {
    const time = { type: 'string', 'x-format': { isoDate: true } };
    expect(corrected({ ...time })).to.have.property('format', 'date-time');
    expect(correctedCall({}, { ...time }).parameter).to.not.have.property('format');
  });

  it('leave values alone, and correct members that are called like them', () => {
    const example = { type: 'number' };
    expect(corrected({ type: 'object', example, properties: { default: { type: 'number' } } })).to.deep.equal({
      type: 'object',
      example: { type: 'number' },
      properties: { default: { type: 'number', format: 'double' } },
    });
  });

  it('choose the first type of a field that may be a text or a number', () => {
    const items = { anyOf: [{ type: 'number' }, { type: 'string' }] };
    expect(correctedCall({ type: 'array', items }, {}).field).to.deep.equal({
      type: 'array',
      items: { type: 'number', format: 'double' },
    });
  });

  it('describe any value without a type', () => {
    const meta = documentingJoi.any().describe()['metas'] as readonly object[];
    expect(Joi.any().describe()).to.not.have.property('metas');
    expect(corrected({ type: 'string', 'x-meta': meta[0] })).to.not.have.property('type');
  });
});
