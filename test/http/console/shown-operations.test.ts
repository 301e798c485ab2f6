import { showFields, showOperation } from '@quire/catalog';
import { holds } from '@quire/registry';
import { expect } from 'chai';
import { loadWorkspacePlugins } from '../../../tools/load-workspace-plugins.js';
import Joi from 'joi';

describe('Every operation of the shipped plugins', () => {
  let operations: Awaited<ReturnType<typeof read>>;
  const read = async () =>
    (await loadWorkspacePlugins()).flatMap(({ plugin }) =>
      plugin.operations.map((operation) => ({
        operation,
        schema: operation.params(Joi) as Joi.ObjectSchema,
        categories: plugin.categories ?? [],
      })),
    );
  before(async () => {
    operations = await read();
  });

  it('has a title of its own, an icon and a place in a category with a title', () => {
    const titles = operations.map(({ operation }) => operation.title);
    expect(titles).not.to.include(undefined);
    expect(
      titles.filter((title, i) => titles.indexOf(title) !== i),
      'titles of two operations',
    ).to.deep.equal([]);
    const categories = new Set(operations.flatMap((each) => each.categories.map(({ id }) => id)));
    const places = new Set<string>();
    for (const { operation } of operations) {
      expect(operation.icon, operation.path).to.be.a('string');
      const category = operation.path.slice(0, operation.path.indexOf('/'));
      expect([...categories], operation.path).to.include(category);
      const place = `${category} ${operation.order}`;
      expect(places.has(place), `${operation.path} has the place of another operation`).to.equal(false);
      places.add(place);
    }
  });

  it('has a label for every field and file field', () => {
    for (const { operation, schema } of operations) {
      const shown = showOperation({ operation, schema }, () => undefined);
      for (const { label } of [...shown.fields, ...shown.parts])
        expect(label, operation.path).to.match(/^[\p{Lu}\p{N}].{0,39}$/u);
    }
  });

  it('shows no name of a field or a constant in labels, help and choices', () => {
    const technical = /\b[a-z]+[A-Z][A-Za-z]+\b|\b[A-Z]{2,}_[A-Z]+\b/;
    // Members of JSON, and names of Java and JavaScript things, are written as they are.
    const known = /\{[^}]*\}|JavaScript|targetName|customKey\d|customValue\d|pageIndex|documentId|withOcr/g;
    for (const { operation, schema } of operations)
      for (const { name, label, help = '', values = [] } of showFields(operation, schema))
        for (const text of [label, help, ...values.map((value) => value.label)])
          expect(technical.exec(text.replace(known, ''))?.[0], `${operation.path} ${name}: ${text}`).to.equal(
            undefined,
          );
  });

  it('shows every field that one of its examples sends, at least where the example is', () => {
    let sent = 0;
    for (const { operation, schema } of operations) {
      const fields = showFields(operation, schema);
      for (const { expect: expected, params, title } of operation.examples) {
        if (expected.refused !== undefined) continue;
        const { value } = schema.validate(params, { convert: true }) as { value: Record<string, unknown> };
        for (const name of Object.keys(params as object)) {
          const field = fields.find((each) => each.name === name);
          expect(field, `${operation.path} "${title}" ${name}`).not.to.equal(undefined);
          if (field?.when !== undefined)
            expect(holds(field.when, value), `${operation.path} "${title}" ${name}`).to.equal(true);
          sent += 1;
        }
      }
    }
    expect(sent).to.be.greaterThan(150);
  });
});
