import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { mutated } from './mutate.js';
import { Random } from './random.js';
import { targets, targetOf } from './targets/index.js';

const regressions = fileURLToPath(new URL('regressions', import.meta.url));
/** Inputs of each target in this test; `npm run fuzz` runs any number. */
const INPUTS = 60;

describe('fuzzing', function suite() {
  this.timeout(180_000);

  for (const [name, target] of Object.entries(targets))
    describe(name, () => {
      after(() => target.stop?.());

      it('reads every seed', async () => {
        const seeds = await target.seeds('');
        expect(seeds.length).to.be.greaterThan(2);
        for (const [i, seed] of seeds.entries())
          expect(await target.exercise(seed), `seed ${i}`).to.match(target.understood ?? /^read/);
      });

      it(`reads or refuses ${INPUTS} mutated inputs`, async () => {
        const seeds = await target.seeds('');
        for (let i = 0; i < INPUTS; i++) {
          const outcome = await target.exercise(mutated(seeds, new Random(20, i)));
          expect(outcome, `input ${i}`).to.be.a('string');
        }
      });

      const folder = join(regressions, name);
      for (const file of existsSync(folder) ? readdirSync(folder).filter((each) => !each.endsWith('.txt')) : [])
        it(`reads or refuses ${file}, which once failed`, async () => {
          expect(await target.exercise(readFileSync(join(folder, file)))).to.be.a('string');
        });
    });

  it('names the targets when asked for another one', () => {
    expect(() => targetOf('pictures')).to.throw('unknown target "pictures" (known: document, cms, zip');
  });
});
