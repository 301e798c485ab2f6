import type { Line, Point } from './series.js';

const WIDTH = 460;
const HEIGHT = 300;
const MARGIN = { left: 58, right: 16, top: 34, bottom: 44 };
/** Told apart by people who see few colours too (Okabe and Ito), and by their marks. */
const COLOURS = ['#0072b2', '#d55e00', '#009e73', '#cc79a7', '#56b4e9'];

/** A plot of time and one of memory, side by side, both axes logarithmic, as SVG. */
export function plot(title: string, unit: string, lines: readonly Line[]): string {
  const panels = [
    panel(`${title}: time in ms`, unit, lines, ({ ms }) => ms),
    panel(`${title}: memory of all processes in MB`, unit, lines, ({ mb }) => mb),
  ];
  const legend = lines.map(({ name }, i) => entry(name, i)).join('');
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${2 * WIDTH + 16} ${HEIGHT + 30}" font-family="sans-serif" ` +
    `font-size="12"><rect width="100%" height="100%" fill="#fff"/>` +
    panels.map((content, i) => `<g transform="translate(${i * WIDTH} 0)">${content}</g>`).join('') +
    `<g transform="translate(${MARGIN.left} ${HEIGHT + 12})">${legend}</g></svg>\n`
  );
}

function entry(name: string, i: number): string {
  return `<g transform="translate(${i * 210} 0)">${mark(i, 6, 0)}<text x="18" y="4">${escaped(name)}</text></g>`;
}

function panel(title: string, unit: string, lines: readonly Line[], valueOf: (point: Point) => number): string {
  const points = lines.flatMap((line) => line.points);
  const x = scale(points.map(placeOf), MARGIN.left, WIDTH - MARGIN.right);
  const y = scale(points.map(valueOf), HEIGHT - MARGIN.bottom, MARGIN.top);
  const parts = [
    ...x.ticks.map(
      (tick) =>
        `<path d="M${x.at(tick)} ${MARGIN.top}V${HEIGHT - MARGIN.bottom}" stroke="#ddd"/>` +
        `<text x="${x.at(tick)}" y="${HEIGHT - MARGIN.bottom + 16}" text-anchor="middle">${number(tick)}</text>`,
    ),
    ...y.ticks.map(
      (tick) =>
        `<path d="M${MARGIN.left} ${y.at(tick)}H${WIDTH - MARGIN.right}" stroke="#ddd"/>` +
        `<text x="${MARGIN.left - 6}" y="${y.at(tick) + 4}" text-anchor="end">${number(tick)}</text>`,
    ),
    ...lines.map((line, i) => {
      const places = line.points.map((point) => [x.at(placeOf(point)), y.at(valueOf(point))] as const);
      const path = places.map(([left, top]) => `${left} ${top}`).join('L');
      const marks = places.map(([left, top]) => mark(i, left, top)).join('');
      return `<path d="M${path}" fill="none" stroke="${colour(i)}" stroke-width="1.5"/>${marks}`;
    }),
  ];
  const middle = (MARGIN.left + WIDTH - MARGIN.right) / 2;
  return (
    `<text x="${middle}" y="20" text-anchor="middle" font-weight="bold">${escaped(title)}</text>${parts.join('')}` +
    `<text x="${middle}" y="${HEIGHT - 8}" text-anchor="middle">${escaped(unit)}</text>`
  );
}

/** Where a point lies on a logarithmic axis: nothing lies where one would. */
function placeOf({ x }: Point): number {
  return Math.max(1, x);
}

interface Scale {
  /** Powers of ten that surround all values. */
  readonly ticks: readonly number[];
  at(value: number): number;
}

function scale(values: readonly number[], from: number, to: number): Scale {
  const low = Math.floor(Math.log10(Math.min(...values)));
  const high = Math.max(low + 1, Math.ceil(Math.log10(Math.max(...values))));
  return {
    ticks: Array.from({ length: high - low + 1 }, (_, i) => 10 ** (low + i)),
    at: (value) => Math.round((from + ((Math.log10(value) - low) / (high - low)) * (to - from)) * 10) / 10,
  };
}

/** Marks of different shapes. */
function mark(i: number, x: number, y: number): string {
  const fill = `fill="${colour(i)}"`;
  if (i % 3 === 0) return `<circle cx="${x}" cy="${y}" r="4" ${fill}/>`;
  if (i % 3 === 1) return `<rect x="${x - 4}" y="${y - 4}" width="8" height="8" ${fill}/>`;
  return `<path d="M${x - 5} ${y + 4}h10l-5 -9z" ${fill}/>`;
}

function colour(i: number): string {
  return COLOURS[i % COLOURS.length] ?? '#000';
}

function number(value: number): string {
  return value.toLocaleString('en-US', { maximumFractionDigits: 3 });
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}
