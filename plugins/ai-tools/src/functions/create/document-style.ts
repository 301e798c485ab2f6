import { type Colour, parseHexColour } from '@quire/document/content/drawing';
import type { DocumentModel } from './document-model.js';

/** Default style. */
const usual = { primary: '#1f4e79', text: '#24292f' } as const;

/**
 * Headings of less contrast to the paper than this could not be read; they get the colour of the text (WCAG 2.1 asks 3
 * for large text).
 */
const LEAST_CONTRAST = 2.5;

/** `#RRGGBB`, which is all that a colour may be, in lower case; the usual one where none is given. */
function colourOf(value: string | null | undefined, otherwise: string): string {
  const text = (value ?? '').trim().toLowerCase();
  return /^#[0-9a-f]{6}$/.test(text) ? text : otherwise;
}

/** Colour of the paper; undefined for white, which needs no paint. */
export function paperColour(style: DocumentModel['style']): Colour | undefined {
  const colour = colourOf(style?.backgroundColor, '#ffffff');
  return colour === '#ffffff' ? undefined : parseHexColour(colour);
}

/** Relative luminance (WCAG 2.1): 0 black, 1 white. */
function luminance(colour: string): number {
  const { red, green, blue } = parseHexColour(colour) ?? { red: 0, green: 0, blue: 0 };
  const linear = (part: number): number => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4);
  return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue);
}

function contrast(one: string, other: string): number {
  const [light = 0, dark = 0] = [luminance(one), luminance(other)].sort((a, b) => b - a);
  return (light + 0.05) / (dark + 0.05);
}

/** How documents look on paper. Only colours of the document get in, and those are checked. */
export function documentStyle(style: NonNullable<DocumentModel['style']>, wide: boolean): string {
  const [primary, text] = [colourOf(style.primaryColor, usual.primary), colourOf(style.bodyTextColor, usual.text)];
  // On the primary colour black and white differ most at a luminance of 0.179.
  const onPrimary = luminance(primary) > 0.179 ? '#000000' : '#ffffff';
  const heading = contrast(primary, colourOf(style.backgroundColor, '#ffffff')) < LEAST_CONTRAST ? text : primary;
  return `
@page { size: A4${wide ? ' landscape' : ''}; margin: 20mm 18mm 22mm; }
html { font: 10.5pt/1.5 "Liberation Sans", Arimo, Arial, "Noto Sans", "Noto Sans JP", "Noto Sans KR",
  "Noto Sans SC", sans-serif; color: ${text}; }
body { margin: 0; overflow-wrap: anywhere; }
header { border-bottom: 2.5pt solid ${primary}; padding-bottom: 8pt; margin-bottom: 16pt; }
header::after { content: ""; display: block; clear: both; }
h1 { font-size: 22pt; line-height: 1.2; margin: 0; color: ${heading}; }
.subtitle { font-size: 12pt; margin: 4pt 0 0; opacity: .8; }
.reference { float: right; max-width: 40%; margin: 4pt 0 4pt 16pt; padding: 2pt 8pt; border: .75pt solid ${primary};
border-radius: 3pt; font-size: 9.5pt; }
h2 { font-size: 13.5pt; line-height: 1.25; margin: 0 0 6pt; color: ${heading}; break-after: avoid; }
section { margin: 0 0 16pt; }
p, ul, ol, table { margin: 0 0 8pt; }
section > :last-child { margin-bottom: 0; }
p, li { orphans: 3; widows: 3; }
ul, ol { padding-inline-start: 20pt; } li + li { margin-top: 3pt; } li::marker { color: ${primary}; }
.checklist ul { list-style: none; padding-inline-start: 4pt; } .box {
font-family: "DejaVu Sans", "Noto Sans Symbols 2", sans-serif; color: ${primary}; margin-inline-end: 4pt; }
table { border-collapse: collapse; width: 100%; overflow-wrap: break-word; } tr { break-inside: avoid; }
th, td { padding: 4.5pt 7pt; vertical-align: top; text-align: start; }
.pairs { width: auto; min-width: 55%; } .pairs th { font-weight: 600; padding-inline-start: 0;
padding-inline-end: 18pt; max-width: 45%; } .pairs td, .pairs th { border-bottom: .5pt solid #8886;
padding-block: 3.5pt; }
thead { display: table-header-group; } .rows th { background: ${primary}; color: ${onPrimary}; font-weight: 600;
vertical-align: bottom; }
.rows td { border-bottom: .5pt solid #8886; } .rows tbody:not(.total) tr:nth-child(even) td { background: #8881; }
.rows .number { text-align: end; white-space: nowrap; font-variant-numeric: tabular-nums; } thead .number {
white-space: normal; }
.short { white-space: nowrap; } .cut { overflow-wrap: anywhere; } .pairs td { overflow-wrap: anywhere; }
.total { break-before: avoid; } .total td { border-top: 1.5pt solid ${primary}; border-bottom: 0; font-weight: 700; }
.narrow { font-size: 9pt; } .narrower { font-size: 7.5pt; } .narrow th, .narrow td { padding: 3.5pt 4.5pt; }
.narrower th, .narrower td { padding: 2.5pt 3pt; }
.note { border-inline-start: 3.5pt solid ${primary}; background: #8881; padding: 9pt 12pt; break-inside: avoid; }
blockquote { margin: 0; padding-inline-start: 12pt; border-inline-start: 2.5pt solid #8886; font-style: italic; }
.text-columns { columns: 2; column-gap: 18pt; }
.pageBreak { break-before: page; }
hr { border: 0; border-top: 1pt solid #8886; margin: 0 0 16pt; }
.signatories { display: grid; grid-template-columns: 1fr 1fr; gap: 8pt 32pt; } .signatory { break-inside: avoid; }
.sign-here { height: 40pt; border-bottom: .9pt solid ${text}; margin-bottom: 4pt; } .signatory p { margin: 0;
font-size: 9.5pt; line-height: 1.4; }
`;
}
