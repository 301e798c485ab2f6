import { escapeXml } from '@quire/document/file/xml';

/** Namespaces of presentations (ECMA-376 part 1). */
const NAMESPACES =
  'xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" ' +
  'xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships" ' +
  'xmlns:p="http://schemas.openxmlformats.org/presentationml/2006/main"';
const HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006';
const TYPES = 'application/vnd.openxmlformats-officedocument.presentationml';
const LAYOUT_TITLED = 1;
const LAYOUT_BLANK = 2;

/** A relationship of a part: what its id leads to. */
export interface Relation {
  readonly type: 'slide' | 'slideLayout' | 'slideMaster' | 'theme' | 'image' | 'hyperlink' | 'officeDocument';
  readonly target: string;
  readonly external?: true;
}

/** A file of the package. */
export interface Part {
  readonly name: string;
  readonly xml: string;
}

/** The relationships of a part, numbered rId1, rId2 … in their order. */
export function relations(list: readonly Relation[]): string {
  const rows = list.map(
    ({ type, target, external }, i) =>
      `<Relationship Id="rId${i + 1}" Type="${OFFICE}/${type}" ` +
      `Target="${escapeXml(target)}"${external === true ? ' TargetMode="External"' : ''}/>`,
  );
  return `${HEAD}<Relationships xmlns="${PACKAGE}/relationships">${rows.join('')}</Relationships>`;
}

/** Everything but slides, pictures and their relationships. Lengths in EMU (1/914400 inch). */
export function packageParts({
  slides,
  width,
  height,
  title,
}: {
  readonly slides: number;
  readonly width: number;
  readonly height: number;
  readonly title: string;
}): Part[] {
  const numbers = Array.from({ length: slides }, (_, i) => i + 1);
  const override = (name: string, type: string): string => `<Override PartName="${name}" ContentType="${type}"/>`;
  const types = [
    '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>',
    '<Default Extension="xml" ContentType="application/xml"/>',
    '<Default Extension="png" ContentType="image/png"/>',
    '<Default Extension="jpeg" ContentType="image/jpeg"/>',
    override('/ppt/presentation.xml', `${TYPES}.presentation.main+xml`),
    override('/ppt/slideMasters/slideMaster1.xml', `${TYPES}.slideMaster+xml`),
    ...[LAYOUT_TITLED, LAYOUT_BLANK].map((n) =>
      override(`/ppt/slideLayouts/slideLayout${n}.xml`, `${TYPES}.slideLayout+xml`),
    ),
    override('/ppt/theme/theme1.xml', 'application/vnd.openxmlformats-officedocument.theme+xml'),
    override('/docProps/core.xml', 'application/vnd.openxmlformats-package.core-properties+xml'),
    ...numbers.map((n) => override(`/ppt/slides/slide${n}.xml`, `${TYPES}.slide+xml`)),
  ];
  return [
    { name: '[Content_Types].xml', xml: `${HEAD}<Types xmlns="${PACKAGE}/content-types">${types.join('')}</Types>` },
    {
      name: '_rels/.rels',
      xml: relations([{ type: 'officeDocument', target: 'ppt/presentation.xml' }]).replace(
        '</Relationships>',
        `<Relationship Id="rId2" Type="${PACKAGE}/relationships/metadata/core-properties" ` +
          `Target="docProps/core.xml"/></Relationships>`,
      ),
    },
    {
      name: 'docProps/core.xml',
      xml:
        `${HEAD}<cp:coreProperties xmlns:cp="${PACKAGE}/metadata/core-properties" ` +
        `xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:title>${escapeXml(title)}</dc:title></cp:coreProperties>`,
    },
    {
      name: 'ppt/presentation.xml',
      xml:
        `${HEAD}<p:presentation ${NAMESPACES}><p:sldMasterIdLst><p:sldMasterId id="2147483648" r:id="rId1"/>` +
        '</p:sldMasterIdLst><p:sldIdLst>' +
        `${numbers.map((n) => `<p:sldId id="${255 + n}" r:id="rId${n + 2}"/>`).join('')}</p:sldIdLst><p:sldSz ` +
        `cx="${width}" cy="${height}"/><p:notesSz cx="6858000" cy="9144000"/></p:presentation>`,
    },
    {
      name: 'ppt/_rels/presentation.xml.rels',
      xml: relations([
        { type: 'slideMaster', target: 'slideMasters/slideMaster1.xml' },
        { type: 'theme', target: 'theme/theme1.xml' },
        ...numbers.map((n): Relation => ({ type: 'slide', target: `slides/slide${n}.xml` })),
      ]),
    },
    { name: 'ppt/slideMasters/slideMaster1.xml', xml: master(width, height) },
    {
      name: 'ppt/slideMasters/_rels/slideMaster1.xml.rels',
      xml: relations([
        { type: 'slideLayout', target: '../slideLayouts/slideLayout1.xml' },
        { type: 'slideLayout', target: '../slideLayouts/slideLayout2.xml' },
        { type: 'theme', target: '../theme/theme1.xml' },
      ]),
    },
    { name: 'ppt/slideLayouts/slideLayout1.xml', xml: layout('titleOnly', 'Title', titleShape(width, height)) },
    { name: 'ppt/slideLayouts/slideLayout2.xml', xml: layout('blank', 'Blank', '') },
    ...[LAYOUT_TITLED, LAYOUT_BLANK].map((n) => ({
      name: `ppt/slideLayouts/_rels/slideLayout${n}.xml.rels`,
      xml: relations([{ type: 'slideMaster', target: '../slideMasters/slideMaster1.xml' }]),
    })),
    { name: 'ppt/theme/theme1.xml', xml: theme() },
  ];
}

/** The layout of a slide, seen from it. */
export function layoutOf(titled: boolean): Relation {
  return { type: 'slideLayout', target: `../slideLayouts/slideLayout${titled ? LAYOUT_TITLED : LAYOUT_BLANK}.xml` };
}

/** A slide, layout or master's tree of shapes. */
function shapeTree(shapes: string): string {
  return (
    `<p:spTree><p:nvGrpSpPr><p:cNvPr id="1" ` +
    `name=""/><p:cNvGrpSpPr/><p:nvPr/></p:nvGrpSpPr><p:grpSpPr><a:xfrm><a:off x="0" y="0"/><a:ext cx="0" ` +
    `cy="0"/><a:chOff x="0" y="0"/><a:chExt cx="0" cy="0"/></a:xfrm></p:grpSpPr>${shapes}</p:spTree>`
  );
}

/** A whole slide. */
export function slidePart(shapes: string): string {
  return (
    `${HEAD}<p:sld ` +
    `${NAMESPACES}><p:cSld>${shapeTree(shapes)}</p:cSld><p:clrMapOvr><a:masterClrMapping/></p:clrMapOvr></p:sld>`
  );
}

function titleShape(width: number, height: number): string {
  return (
    `<p:sp><p:nvSpPr><p:cNvPr id="2" name="Title"/><p:cNvSpPr><a:spLocks noGrp="1"/></p:cNvSpPr><p:nvPr><p:ph ` +
    `type="title"/></p:nvPr></p:nvSpPr><p:spPr><a:xfrm><a:off x="${Math.round(width / 20)}" y="` +
    `${Math.round(height / 20)}"/><a:ext cx="${Math.round(width * 0.9)}" cy="${Math.round(height / 8)}"/>` +
    `</a:xfrm><a:prstGeom prst="rect"><a:avLst/></a:prstGeom></p:spPr><p:txBody><a:bodyPr/><a:lstStyle/><a:p>` +
    '<a:endParaRPr/></a:p></p:txBody></p:sp>'
  );
}

function master(width: number, height: number): string {
  const map =
    'bg1="lt1" tx1="dk1" bg2="lt2" tx2="dk2" accent1="accent1" accent2="accent2" accent3="accent3" ' +
    'accent4="accent4" accent5="accent5" accent6="accent6" hlink="hlink" folHlink="folHlink"';
  const plain =
    '<a:lvl1pPr><a:defRPr sz="1800"><a:solidFill><a:schemeClr val="tx1"/></a:solidFill><a:latin ' +
    'typeface="+mn-lt"/></a:defRPr></a:lvl1pPr>';
  return (
    `${HEAD}<p:sldMaster ${NAMESPACES}><p:cSld><p:bg><p:bgPr><a:solidFill><a:srgbClr val="FFFFFF"/>` +
    `</a:solidFill><a:effectLst/></p:bgPr></p:bg>${shapeTree(titleShape(width, height))}</p:cSld><p:clrMap ` +
    `${map}/><p:sldLayoutIdLst><p:sldLayoutId id="2147483649" r:id="rId1"/><p:sldLayoutId id="2147483650" ` +
    `r:id="rId2"/></p:sldLayoutIdLst><p:txStyles><p:titleStyle>${plain}</p:titleStyle><p:bodyStyle>${plain}` +
    `</p:bodyStyle><p:otherStyle>${plain}</p:otherStyle></p:txStyles></p:sldMaster>`
  );
}

function layout(type: string, name: string, shapes: string): string {
  return (
    `${HEAD}<p:sldLayout ${NAMESPACES} type="${type}" preserve="1"><p:cSld ` +
    `name="${name}">${shapeTree(shapes)}</p:cSld><p:clrMapOvr><a:masterClrMapping/></p:clrMapOvr></p:sldLayout>`
  );
}

/** Colours, fonts and the three grades of effects that a theme must have (ECMA-376 part 1, 20.1.6.9). */
function theme(): string {
  const colours = [
    ['dk1', '000000'],
    ['lt1', 'FFFFFF'],
    ['dk2', '44546A'],
    ['lt2', 'E7E6E6'],
    ['accent1', '4472C4'],
    ['accent2', 'ED7D31'],
    ['accent3', 'A5A5A5'],
    ['accent4', 'FFC000'],
    ['accent5', '5B9BD5'],
    ['accent6', '70AD47'],
    ['hlink', '0563C1'],
    ['folHlink', '954F72'],
  ];
  const font = '<a:latin typeface="Arial"/><a:ea typeface=""/><a:cs typeface=""/>';
  const fill = '<a:solidFill><a:schemeClr val="phClr"/></a:solidFill>';
  const three = (xml: string): string => xml.repeat(3);
  return (
    `${HEAD}<a:theme xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" name="Plain">` +
    `<a:themeElements><a:clrScheme name="Plain">` +
    `${colours.map(([name, value]) => `<a:${name}><a:srgbClr val="${value}"/></a:${name}>`).join('')}` +
    `</a:clrScheme><a:fontScheme name="Plain"><a:majorFont>${font}</a:majorFont><a:minorFont>${font}` +
    `</a:minorFont></a:fontScheme><a:fmtScheme name="Plain"><a:fillStyleLst>${three(fill)}</a:fillStyleLst>` +
    `<a:lnStyleLst>${three(`<a:ln w="6350">${fill}</a:ln>`)}</a:lnStyleLst><a:effectStyleLst>` +
    `${three('<a:effectStyle><a:effectLst/></a:effectStyle>')}</a:effectStyleLst><a:bgFillStyleLst>` +
    `${three(fill)}</a:bgFillStyleLst></a:fmtScheme></a:themeElements></a:theme>`
  );
}
