import { expect } from 'chai';
import { plot } from './plot.js';
import { sectionOf, withSections } from './sections.js';
import { growthOf, type Axis, type Line } from './series.js';

const line = (name: string, times: readonly (readonly [number, number])[]): Line => ({
  name,
  points: times.map(([x, ms]) => ({ x, ms, mb: 100 })),
});
const axis = (name: string, title: string): Axis => ({ name, title, unit: 'pages', measure: async () => [] });

describe('Plots of growth', () => {
  it('call a line straight that doubles when its argument does, and a line flat that stays', () => {
    const straight = line('rotate', [
      [1, 5],
      [100, 20],
      [1000, 200],
    ]);
    expect(growthOf(straight, 'ms')).to.be.closeTo(1, 1e-9);
    expect(growthOf(straight, 'mb')).to.equal(0);
  });

  it('do not compare with an argument of nothing', () => {
    expect(
      growthOf(
        line('accept', [
          [0, 3],
          [1000, 3],
        ]),
        'ms',
      ),
    ).to.equal(undefined);
  });

  it('have a mark for each point in each of both panels, within the picture', () => {
    const svg = plot('Pages', 'pages', [
      line('a & b', [
        [0, 3],
        [10, 30],
        [1000, 5000],
      ]),
    ]);
    const marks = [...svg.matchAll(/<circle cx="([\d.]+)" cy="([\d.]+)"/g)].map(([, x, y]) => [Number(x), Number(y)]);
    // Three points twice, and the legend.
    expect(marks).to.have.length(7);
    for (const [x, y] of marks) expect(x! >= 0 && x! <= 460 && y! >= 0 && y! <= 300).to.equal(true);
    expect(svg).to.contain('a &amp; b');
  });

  it('keep the sections of a page that were not measured again, in the order of the axes', () => {
    const axes = [axis('pages', 'Pages'), axis('clients', 'Clients at once'), axis('queue', 'Waiting jobs')];
    const old = sectionOf(axes[1]!, 'yesterday', [
      line('rotate', [
        [1, 4],
        [2, 8],
      ]),
    ]);
    const page = `# Growth\n\n<!-- numbers -->\n${old}\n<!-- /numbers -->\n\n## Why\n`;
    const fresh = new Map([
      [
        'queue',
        sectionOf(axes[2]!, 'today', [
          line('accept', [
            [1, 4],
            [2, 4],
          ]),
        ]),
      ],
      [
        'pages',
        sectionOf(axes[0]!, 'today', [
          line('rotate', [
            [1, 4],
            [2, 4],
          ]),
        ]),
      ],
    ]);
    const found = withSections(page, axes, fresh);
    expect(found.match(/^### .*/gm)).to.deep.equal(['### Pages', '### Clients at once', '### Waiting jobs']);
    expect(found).to.contain('yesterday').and.not.contain('## Why');
  });
});
