/** An item of a nested list: its level counts from 1. */
export interface NestedItem {
  readonly level: number;
  readonly html: string;
}

/**
 * Items of an outline as nested lists; one that stands more than a level below the one before it moves up. Empty for
 * none.
 */
export function nestedList(items: readonly NestedItem[], tag: 'ol' | 'ul'): string {
  if (items.length === 0) return '';
  const lines: string[] = [];
  let depth = 0;
  for (const { level, html } of items) {
    const wanted = Math.min(Math.max(1, level), depth + 1);
    if (wanted > depth) lines.push(`<${tag}>`);
    else lines.push('</li>', ...Array.from({ length: depth - wanted }, () => `</${tag}></li>`));
    depth = wanted;
    lines.push(`<li>${html}`);
  }
  return [...lines, '</li>', ...Array.from({ length: depth - 1 }, () => `</${tag}></li>`), `</${tag}>`].join('\n');
}
