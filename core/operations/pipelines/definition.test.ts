import { expect } from 'chai';
import { QuireError } from '@quire/registry';
import { nameOf, parseDefinition } from './definition.js';

/** Returns the faults for which a definition is rejected. */
function faults(text: unknown): readonly { pointer: string; detail: string }[] {
  try {
    parseDefinition(text);
  } catch (error) {
    if (error instanceof QuireError) return error.errors;
    throw error;
  }
  return [];
}

describe('a pipeline definition', () => {
  it('returns its steps, its name, and the members that a pipeline does not have', () => {
    expect(parseDefinition('{"name": "x", "pipeline": [{"operation": "a"}, 7], "outputDir": "/y"}')).to.deep.equal({
      name: 'x',
      steps: [{ operation: 'a' }, 7],
      ignored: [],
    });
    expect(parseDefinition('{"name": 7, "pipeline": [1], "Values": {}}')).to.deep.equal({
      steps: [1],
      ignored: [
        { pointer: '/Values', detail: 'Values is not a member of a pipeline and is ignored; did you mean values?' },
      ],
    });
  });

  it('is rejected with the place of the fault', () => {
    const cases: readonly [unknown, string, RegExp][] = [
      [undefined, '/json', /missing/],
      ['', '/json', /missing/],
      [['{}'], '/json', /missing/],
      ['{', '/json', /not JSON/],
      ['7', '', /found a number/],
      ['null', '', /found null/],
      ['[]', '', /found a list/],
      ['{}', '/pipeline', /found nothing/],
      ['{"pipeline": {}}', '/pipeline', /found an object/],
      ['{"pipeline": []}', '/pipeline', /no step/],
      [`"${'x'.repeat(2_000_000)}"`, '/json', /longer than/],
    ];
    for (const [text, pointer, detail] of cases) {
      const [fault] = faults(text);
      expect(fault?.pointer).to.equal(pointer);
      expect(fault?.detail).to.match(detail);
    }
  });

  it('names the type of a value', () => {
    expect([undefined, null, [], {}, 'x', 7, true].map(nameOf)).to.deep.equal([
      'nothing',
      'null',
      'a list',
      'an object',
      'a string',
      'a number',
      'a boolean',
    ]);
  });
});
