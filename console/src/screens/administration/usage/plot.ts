import uPlot, { type AlignedData } from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { language } from '../../../i18n/index.ts';

/** Curves over time. */
export interface Plot {
  /** Times in seconds, then the values of each line. */
  show(data: readonly (readonly (number | null)[])[]): void;
  remove(): void;
}

const HEIGHT = 200;
/** Custom properties of the theme, one for each line. */
const COLOURS = ['--accent', '--done', '--warning', '--danger'] as const;

/** Draws into a box, as wide as it is; the colours are those of the theme. */
export function drawPlot(box: HTMLElement, labels: readonly string[], timeLabel: string): Plot {
  const [text = '', line = '', ...colours] = coloursOf(box, ['--text-soft', '--line', ...COLOURS]);
  const grid = { stroke: line, width: 1 };
  const clock = new Intl.DateTimeFormat(language.value, { timeStyle: 'medium' });
  const plot = new uPlot(
    {
      width: Math.max(box.clientWidth, 200),
      height: HEIGHT,
      cursor: { points: { size: 6 } },
      legend: { live: labels.length > 1 },
      axes: [
        {
          stroke: text,
          grid,
          ticks: grid,
          space: 90,
          values: (_plot, splits) => splits.map((seconds) => clock.format(seconds * 1000)),
        },
        { stroke: text, grid, ticks: grid, size: 44 },
      ],
      scales: { y: { range: (_plot, _min, max) => [0, Math.max(1, max * 1.1)] } },
      series: [
        { label: timeLabel, value: (_plot, seconds) => (seconds === null ? '' : clock.format(seconds * 1000)) },
        ...labels.map((label, i) => ({
          label,
          stroke: colours[i % colours.length] ?? text,
          width: 2,
          spanGaps: true,
        })),
      ],
    },
    [[], ...labels.map(() => [])] as unknown as AlignedData,
    box,
  );
  const watcher = new ResizeObserver(() => plot.setSize({ width: Math.max(box.clientWidth, 200), height: HEIGHT }));
  watcher.observe(box);
  return {
    show: (data) => plot.setData(data as unknown as AlignedData),
    remove: () => {
      watcher.disconnect();
      plot.destroy();
    },
  };
}

/** Custom properties as colours that a canvas understands: the theme writes them as `light-dark(…)`. */
function coloursOf(box: HTMLElement, names: readonly string[]): string[] {
  const probe = document.createElement('span');
  box.append(probe);
  const found = names.map((name) => {
    probe.style.color = `var(${name})`;
    return getComputedStyle(probe).color;
  });
  probe.remove();
  return found;
}
