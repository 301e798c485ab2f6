import { createHash } from 'node:crypto';
import { escapeXml } from '../file/xml/index.js';
import type { Block, CellText, Composition, Row, Table } from './model.js';
import { plainText } from './plain-text.js';
import { style } from './style.js';

/**
 * Writes a document as one HTML page: no scripts, no links, nothing from elsewhere. Every text is escaped, and kept
 * apart from its neighbours in writing direction. A policy in the page forbids scripts and requests even where a
 * browser would find any.
 */
export function composeHtml({ language, title, subtitle, author, blocks }: Composition): string {
  const hash = createHash('sha256').update(style).digest('base64');
  return [
    '<!doctype html>',
    `<html lang="${plain(language)}">`,
    '<head>',
    '<meta charset="utf-8">',
    `<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'sha256-${hash}'; ` +
      `base-uri 'none'; form-action 'none'">`,
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    '<meta name="referrer" content="no-referrer">',
    `<title>${plain(title)}</title>`,
    ...(author === undefined ? [] : [`<meta name="author" content="${plain(author)}">`]),
    `<style>${style}</style>`,
    '</head>',
    '<body>',
    '<main>',
    `<h1>${text(title)}</h1>`,
    ...(subtitle === undefined ? [] : [`<p class="muted">${text(subtitle)}</p>`]),
    ...blocks.map(blockOf),
    '</main>',
    '</body>',
    '</html>',
    '',
  ].join('\n');
}

/** For places that hold no elements. */
function plain(value: string): string {
  return escapeXml(plainText(value));
}

/** A text of unknown direction, with its line breaks. */
function text(value: string): string {
  return `<bdi>${plain(value).replace(/\r\n|[\r\n]/g, '<br>')}</bdi>`;
}

function blockOf(block: Block): string {
  switch (block.kind) {
    case 'heading':
      return `<h${block.level}>${text(block.text)}</h${block.level}>`;
    case 'paragraph':
      return `<p${toneOf(block.tone)}>${text(block.text)}</p>`;
    case 'facts':
      return `<dl>\n${block.facts
        .map(({ label, value }) => `<div><dt>${text(label)}</dt><dd>${text(value)}</dd></div>`)
        .join('\n')}\n</dl>`;
    case 'columns':
      return `<div class="columns">\n${block.columns
        .map((column) => `<section>\n${column.map(blockOf).join('\n')}\n</section>`)
        .join('\n')}\n</div>`;
    case 'table':
      return tableOf(block);
  }
}

function toneOf(tone: string | undefined): string {
  return tone === undefined || tone === 'plain' ? '' : ` class="${tone}"`;
}

function tableOf({ caption, columns, rows, rowHeader }: Table): string {
  const head = columns
    .map(({ title, align }) => `<th scope="col"${align === 'end' ? ' class="end"' : ''}>${text(title)}</th>`)
    .join('');
  const body = rows.map((row) => rowOf(row, columns, rowHeader));
  return [
    '<div class="wide"><table>',
    `<caption>${text(caption)}</caption>`,
    `<thead><tr>${head}</tr></thead>`,
    `<tbody>\n${body.join('\n')}\n</tbody>`,
    '</table></div>',
  ].join('\n');
}

function rowOf({ cells, tone, depth = 0 }: Row, columns: Table['columns'], rowHeader: number): string {
  const inner = cells.map((cell, i) => {
    const names = [
      ...(columns[i]?.align === 'end' ? ['end'] : []),
      ...(i === 0 && depth > 0 ? [`d${Math.min(depth, 8)}`] : []),
    ];
    const attribute = names.length === 0 ? '' : ` class="${names.join(' ')}"`;
    const element = i === rowHeader ? 'th' : 'td';
    const scope = i === rowHeader ? ' scope="row"' : '';
    return `<${element}${scope}${attribute}>${cell.map(cellText).join('')}</${element}>`;
  });
  return `<tr${toneOf(tone)}>${inner.join('')}</tr>`;
}

function cellText({ text: value, label, tone }: CellText): string {
  const named = label === undefined ? '' : `<span class="label">${text(label)}:</span> `;
  return `<div${toneOf(tone)}>${named}${text(value)}</div>`;
}
