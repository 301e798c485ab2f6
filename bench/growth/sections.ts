import { growthOf, type Axis, type Line } from './series.js';

/** The part of the page about one axis: its plot and its numbers. */
export function sectionOf({ name, title, unit }: Axis, when: string, lines: readonly Line[]): string {
  const rows = lines.map((line) => {
    const points = line.points.map(
      ({ x, ms, mb }) => `${x.toLocaleString('en-US')}: ${time(ms)}, ${Math.round(mb)} MB`,
    );
    return `| ${line.name} | ${points.join('; ')} | ${exponent(line, 'ms')} | ${exponent(line, 'mb')} |`;
  });
  return [
    headOf(title),
    '',
    `![${title}: time and memory](growth/${name}.svg)`,
    '',
    `${when}.`,
    '',
    `| What | ${unit}: median, memory | Time grows as | Memory grows as |`,
    '|---|---|--:|--:|',
    ...rows,
    '',
  ].join('\n');
}

/** The sections of a page in the order of the axes: new ones, and else those that the page has. */
export function withSections(page: string, axes: readonly Axis[], fresh: ReadonlyMap<string, string>): string {
  const old = new Map(page.split(/^(?=### )/m).map((section) => [section.split('\n')[0] ?? '', section]));
  return axes
    .map(({ name, title }) => fresh.get(name) ?? old.get(headOf(title))?.replace(/<!-- \/numbers -->[\s\S]*/, ''))
    .filter((section) => section !== undefined)
    .map((section) => section.trimEnd())
    .join('\n\n');
}

function headOf(title: string): string {
  return `### ${title}`;
}

function time(ms: number): string {
  return ms < 10 ? `${ms.toFixed(1)} ms` : `${Math.round(ms).toLocaleString('en-US')} ms`;
}

function exponent(line: Line, value: 'ms' | 'mb'): string {
  return `n^${growthOf(line, value)?.toFixed(2) ?? '?'}`;
}
