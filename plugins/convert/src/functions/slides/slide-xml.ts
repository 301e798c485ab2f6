import { safeLink } from '../safe-link.js';
import { escapeXml, xmlCharacters } from '@quire/document/file/xml';
import type { PartPicture } from './page-pictures.js';
import { layoutOf, type Relation, slidePart } from './presentation-parts.js';
import type { BoxRun, TextBox } from './text-boxes.js';

/** Content of a slide, and how the page is placed on it. */
export interface SlideContent {
  readonly pictures: readonly PartPicture[];
  readonly boxes: readonly TextBox[];
  /** The box that is the slide's title. */
  readonly title: TextBox | undefined;
  /** Text is there but not seen: the pictures show it. */
  readonly hidden: boolean;
  /** EMU (1/914400 inch) of a point of the page, and where its corner comes to lie. */
  readonly scale: number;
  readonly x: number;
  readonly y: number;
  readonly slides: number;
}

/** Points of font sizes and distances, in hundredths (ECMA-376 part 1, 20.1.10.68 and 20.1.10.76). */
const [MIN_SIZE, MAX_SIZE] = [100, 400_000];
const MAX_SPACING = 158_400;
const EMU = 12_700;
/** Keeps the colour of a run that is a link, which else is the theme's. */
const OWN_COLOUR =
  '<a:extLst><a:ext uri="{A12FA001-AC4F-418D-AE19-62706E023703}"><ahyp:hlinkClr ' +
  'xmlns:ahyp="http://schemas.microsoft.com/office/drawing/2018/hyperlinkcolor" val="tx"/></a:ext></a:extLst>';
const ALIGN = { left: 'l', center: 'ctr', right: 'r' } as const;
/** Languages of scripts, by which programs choose fonts and direction. */
const LANGUAGES: readonly (readonly [RegExp, string])[] = [
  [/\p{Script=Arabic}/u, 'ar-SA'],
  [/\p{Script=Hebrew}/u, 'he-IL'],
  [/[\p{Script=Hiragana}\p{Script=Katakana}]/u, 'ja-JP'],
  [/\p{Script=Hangul}/u, 'ko-KR'],
  [/\p{Script=Han}/u, 'zh-CN'],
  [/\p{Script=Thai}/u, 'th-TH'],
];

/** Writes a slide: its XML and its relationships. `media` names the file of each picture, in the folder of pictures. */
export function slideXml(
  content: SlideContent,
  media: readonly string[],
): { readonly xml: string; readonly relations: readonly Relation[] } {
  const relations: Relation[] = [layoutOf(content.title !== undefined)];
  const known = new Map<string, number>();
  const relate = (relation: Relation): string => {
    const key = `${relation.type} ${relation.target}`;
    let number = known.get(key);
    if (number === undefined) known.set(key, (number = relations.push(relation)));
    return `rId${number}`;
  };
  const place = frameOf(content);
  const pictures = content.pictures.map(
    (picture, i) =>
      `<p:pic><p:nvPicPr><p:cNvPr id="${i + 2}" name="Picture ${i + 1}" descr="Drawn part of the page"/>` +
      `<p:cNvPicPr><a:picLocks noChangeAspect="1"/></p:cNvPicPr><p:nvPr/></p:nvPicPr><p:blipFill><a:blip ` +
      `r:embed="${relate({ type: 'image', target: `../media/${media[i]!}` })}"/><a:stretch><a:fillRect/>` +
      `</a:stretch></p:blipFill><p:spPr>${place(picture)}<a:prstGeom prst="rect"><a:avLst/></a:prstGeom>` +
      '</p:spPr></p:pic>',
  );
  const first = content.pictures.length + 2;
  const boxes = content.boxes.map((box, i) => {
    const kind =
      box === content.title
        ? '<p:cNvSpPr><a:spLocks noGrp="1"/></p:cNvSpPr><p:nvPr><p:ph type="title"/></p:nvPr>'
        : '<p:cNvSpPr txBox="1"/><p:nvPr/>';
    return (
      `<p:sp><p:nvSpPr><p:cNvPr id="${first + i}" name="${box === content.title ? 'Title' : `Text ${i + 1}`}"/>` +
      `${kind}</p:nvSpPr><p:spPr>${place(box)}<a:prstGeom prst="rect"><a:avLst/></a:prstGeom><a:noFill/>` +
      `</p:spPr>${body(box, content, relate)}</p:sp>`
    );
  });
  return { xml: slidePart([...pictures, ...boxes].join('')), relations };
}

type Placed = Pick<TextBox, 'left' | 'top' | 'width' | 'height'> & { readonly turn?: number };

function frameOf({ scale, x, y }: SlideContent): (box: Placed) => string {
  const emu = (value: number): number => Math.round(Math.min(2 ** 31 - 1, Math.max(-(2 ** 31) + 1, value)));
  return ({ left, top, width, height, turn = 0 }) =>
    `<a:xfrm${turn === 0 ? '' : ` rot="${turn * 60_000}"`}><a:off x="${emu(x + left * scale)}" ` +
    `y="${emu(y + top * scale)}"/><a:ext cx="${Math.max(0, emu(width * scale))}" ` +
    `cy="${Math.max(0, emu(height * scale))}"/></a:xfrm>`;
}

/** The lines of a box as one paragraph. */
function body(
  { lines, align, rtl, leading }: TextBox,
  content: SlideContent,
  relate: (relation: Relation) => string,
): string {
  const spacing = Math.min(MAX_SPACING, Math.max(100, Math.round((leading * content.scale * 100) / EMU)));
  const paragraph =
    `<a:pPr marL="0" indent="0" algn="${ALIGN[align]}"${rtl ? ' rtl="1"' : ''}><a:lnSpc><a:spcPts ` +
    `val="${spacing}"/></a:lnSpc><a:spcBef><a:spcPts val="0"/></a:spcBef><a:spcAft><a:spcPts ` +
    `val="0"/></a:spcAft><a:buNone/></a:pPr>`;
  const runs = lines.map((line) =>
    line
      .map((run) => `<a:r>${look(run, content, relate)}<a:t>${escapeXml(xmlCharacters(run.text))}</a:t></a:r>`)
      .join(''),
  );
  const size = sizeOf(lines[0]?.[0], content);
  return (
    `<p:txBody><a:bodyPr wrap="none" lIns="0" tIns="0" rIns="0" bIns="0" anchor="t"><a:noAutofit/></a:bodyPr>` +
    `<a:lstStyle/><a:p>${paragraph}${runs.join(`<a:br><a:rPr sz="${size}"/></a:br>`)}</a:p></p:txBody>`
  );
}

function sizeOf(run: BoxRun | undefined, { scale }: SlideContent): number {
  return Math.round(Math.min(MAX_SIZE, Math.max(MIN_SIZE, ((run?.size ?? 10) * scale * 100) / EMU)));
}

function look(run: BoxRun, content: SlideContent, relate: (relation: Relation) => string): string {
  const { style, text, position } = run;
  const language = LANGUAGES.find(([script]) => script.test(text))?.[1];
  const family = escapeXml(xmlCharacters(style.family).slice(0, 100)) || 'Arial';
  const colour =
    `<a:solidFill><a:srgbClr val="${style.colour.slice(1).toUpperCase()}">` +
    `${content.hidden ? '<a:alpha val="0"/>' : ''}</a:srgbClr></a:solidFill>`;
  const fonts = ['latin', 'ea', 'cs'].map((kind) => `<a:${kind} typeface="${family}"/>`).join('');
  return (
    `<a:rPr${language === undefined ? '' : ` lang="${language}"`} sz="${sizeOf(run, content)}"` +
    `${style.bold ? ' b="1"' : ' b="0"'}${style.italic ? ' i="1"' : ''}` +
    `${position === 'normal' ? '' : ` baseline="${position === 'superscript' ? 30_000 : -25_000}"`}>${colour}` +
    `${fonts}${linkOf(run, content, relate)}</a:rPr>`
  );
}

function linkOf({ link }: BoxRun, { slides }: SlideContent, relate: (relation: Relation) => string): string {
  if (link === undefined) return '';
  if ('page' in link)
    return link.page >= 1 && link.page <= slides
      ? `<a:hlinkClick r:id="${relate({ type: 'slide', target: `slide${link.page}.xml` })}" ` +
          `action="ppaction://hlinksldjump">${OWN_COLOUR}</a:hlinkClick>`
      : '';
  const address = safeLink(link.uri);
  return address === undefined
    ? ''
    : '<a:hlinkClick ' +
        `r:id="${relate({ type: 'hyperlink', target: address, external: true })}">${OWN_COLOUR}</a:hlinkClick>`;
}
