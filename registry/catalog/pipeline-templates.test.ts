import { expect } from 'chai';
import { goodOperation, pluginCode, usePluginPackages } from '../../test/suites/plugin-packages.js';

const template = (changes: string): string => `{
  id: 'turned', title: 'Turned', summary: 'Turn everything round', icon: 'rotate-cw',
  steps: [{ operation: 'misc/turn-round', parameters: { angle: 90 } }], ${changes}
}`;

describe('Templates of pipelines', () => {
  const { install, load, refused } = usePluginPackages();

  it('are offered when all of their operations are loaded', async () => {
    const elsewhere = "id: 'more', steps: [{ operation: 'general/not-installed', parameters: {} }]";
    install(
      'quire-plugin-good',
      pluginCode(`operations: [${goodOperation}], templates: [${template('')}, ${template(elsewhere)}]`),
    );
    const catalog = await load([{ use: 'quire-plugin-good' }]);
    expect(catalog.templates.map(({ id }) => id)).to.deep.equal(['turned']);
    expect(catalog.templateFaults).to.deep.equal([]);
  });

  it('are left out when an operation would refuse their parameters, or when their id is taken', async () => {
    const wrong = "id: 'wrong', steps: [{ operation: 'misc/turn-round', parameters: { angle: 45, speed: 1 } }]";
    install(
      'quire-plugin-good',
      pluginCode(
        `operations: [${goodOperation}], templates: [${[template(''), template(wrong), template('')].join()}]`,
      ),
    );
    const { templates, templateFaults } = await load([{ use: 'quire-plugin-good' }]);
    expect(templates.map(({ id }) => id)).to.deep.equal(['turned']);
    const problems = templateFaults.flatMap((each) => each.problems).join('\n');
    expect(problems).to.include('template wrong: misc/turn-round: "angle" must be').and.to.include('"speed"');
    expect(problems).to.include('template turned: another template has this id.');
  });

  it('may leave fields of their operations to people, and no others', async () => {
    const asking = (id: string, field: string): string =>
      template(`id: '${id}', steps: [{ operation: 'misc/turn-round', parameters: {}, ask: ['${field}'] }]`);
    install(
      'quire-plugin-good',
      pluginCode(`operations: [${goodOperation}], templates: [${asking('asks', 'angle')}, ${asking('odd', 'speed')}]`),
    );
    const { templates, templateFaults } = await load([{ use: 'quire-plugin-good' }]);
    expect(templates.map(({ id, steps }) => [id, steps[0]?.ask])).to.deep.equal([['asks', ['angle']]]);
    expect(templateFaults.flatMap((each) => each.problems).join('\n')).to.include(
      'template odd: misc/turn-round has no field "speed" to ask for; it has ',
    );
  });

  it('are refused when they ask for a field that has a value', async () => {
    const both = "steps: [{ operation: 'misc/turn-round', parameters: { angle: 90 }, ask: ['angle'] }]";
    install('quire-plugin-bad', pluginCode(`operations: [${goodOperation}], templates: [${template(both)}]`));
    const { message } = await refused([{ use: 'quire-plugin-bad' }]);
    expect(message).to.include('step 1 asks for angle, which has a value in its parameters');
  });

  it('are refused with every fault of their declaration', async () => {
    const faulty = "id: 'Turned', title: 'turned', summary: '', icon: undefined, steps: [{ operation: '/x' }]";
    install('quire-plugin-bad', pluginCode(`operations: [${goodOperation}], templates: [${template(faulty)}]`));
    const { message } = await refused([{ use: 'quire-plugin-bad' }]);
    for (const words of [
      'its id is "Turned"',
      'its title "turned" does not begin with a capital letter',
      'its summary is ""',
      'has no icon',
      'step 1: operation is "/x"',
      'step 1 has no parameters',
    ])
      expect(message).to.include(words);
  });
});
