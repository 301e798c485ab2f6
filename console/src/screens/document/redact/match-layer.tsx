import { fromFrame, type PageBox } from '../../../viewer/engine/index.ts';
import type { Match, Quad } from './calls.ts';
import type { Redaction } from './redaction.ts';

interface MatchLayerProps {
  readonly redaction: Redaction;
  /** 0-based. */
  readonly page: number;
  readonly box: PageBox;
  /** CSS pixels per point. */
  readonly scale: number;
}

/** The matches of a page, outlined: those that go, those that stay, and the one that is shown. */
export function MatchLayer({ redaction, page, box, scale }: MatchLayerProps) {
  const own = redaction.matches.value.filter((match) => match.page === page + 1);
  const current = redaction.current.value;
  return (
    <svg class="redact-matches" aria-hidden="true">
      {own.flatMap(({ id, letters }) =>
        letters.map((quad, i) => (
          <polygon
            key={`${id}${i}`}
            data-match={id}
            class={`${redaction.kept.value.has(id) ? 'stays' : 'goes'} ${id === current ? 'current' : ''}`}
            points={cornersOf(quad, box)
              .map(({ x, y }) => `${x * scale},${y * scale}`)
              .join(' ')}
          />
        )),
      )}
    </svg>
  );
}

function cornersOf(quad: Quad, box: PageBox): { readonly x: number; readonly y: number }[] {
  return [0, 2, 4, 6].map((at) => fromFrame(box, 'page', { x: quad[at] ?? 0, y: quad[at + 1] ?? 0 }));
}

/** How far down the displayed page a match begins, in points. */
export function topOf({ letters: [first] }: Match, box: PageBox): number {
  return first === undefined ? 0 : Math.min(...cornersOf(first, box).map(({ y }) => y));
}

/** The match at a point of the displayed page. */
export function matchAt(
  matches: readonly Match[],
  page: number,
  box: PageBox,
  x: number,
  y: number,
): Match | undefined {
  return matches.find(
    (match) =>
      match.page === page + 1 &&
      match.letters.some((quad) => {
        const corners = cornersOf(quad, box);
        const [xs, ys] = [corners.map((corner) => corner.x), corners.map((corner) => corner.y)];
        return x >= Math.min(...xs) && x <= Math.max(...xs) && y >= Math.min(...ys) && y <= Math.max(...ys);
      }),
  );
}
