import type { JoiRoot } from '@quire/registry';

/** What `parse-document` writes as JSON (`writeParsed`). Members that a document or a block has not are left out. */
export function documentAnswer(joi: JoiRoot) {
  const block = joi
    .object({
      id: count(joi).required().description('Place among all blocks, from 0'),
      type: joi
        .string()
        .valid(
          'heading',
          'paragraph',
          'list',
          'table',
          'figure',
          'caption',
          'header',
          'footer',
          'footnote',
          'code',
          'other',
        )
        .required()
        .description('`other` stands across the page or beside its text'),
      ...placeMembers(joi),
      text: words(joi)
        .required()
        .description('All of its words; items of a list and rows of a table are parted by line feeds'),
      direction: joi.string().valid('rtl').description('Of text from the right'),
      level: joi.number().integer().min(1).max(6).description('Of a heading'),
      ordered: joi.boolean().description('Of a list: its items are numbered'),
      items: joi.array().items(listItem(joi)).description('Of a list'),
      ...tableMembers(joi),
      alt: words(joi).description('Of a figure: the text that stands for it in the document'),
      image: joi
        .object({
          width: count(joi).required().description('Pixels'),
          height: count(joi).required().description('Pixels'),
          dpi: count(joi).required().description('Pixels to the inch, as shown'),
        })
        .label('BlockImage')
        .description('Of a figure that is an image'),
      mark: words(joi).description('Of a footnote, as it is printed'),
    })
    .label('DocumentBlock');
  return joi
    .object({
      ...readingMembers(joi),
      title: words(joi).description('Title in the document information'),
      language: words(joi).description('Language that the document names'),
      tagged: joi.boolean().required().description('The document has a structure tree'),
      pageCount: number1(joi).required().description('Pages of the document'),
      coordinates: joi.string().required().description('Tells what `bbox` is'),
      blocks: joi.array().items(block).required().description('In reading order'),
      pages: joi
        .array()
        .items(
          joi
            .object({
              page: number1(joi).required().description('From 1'),
              width: joi.number().required().description('Points, as the page is shown'),
              height: joi.number().required().description('Points, as the page is shown'),
              columns: count(joi).required().description('Columns of text'),
            })
            .label('PageLayout'),
        )
        .required()
        .description('Every page in order'),
      markdown: words(joi).required().description('The whole document'),
    })
    .label('ParsedDocument');
}

/** What `extract-tables` writes as JSON. */
export function tablesAnswer(joi: JoiRoot) {
  const members = tableMembers(joi);
  const table = joi
    .object({
      ...placeMembers(joi),
      number: number1(joi).required().description('Place among the tables that begin on its page, from 1'),
      ruled: joi.boolean().required().description('Lines are drawn between its cells'),
      columns: members.columns.required(),
      headerRows: members.headerRows.required(),
      rows: members.rows.required(),
      cells: members.cells.required(),
    })
    .label('DocumentTable');
  return joi
    .object({
      ...readingMembers(joi),
      tables: joi.array().items(table).required().description('By page; empty when there are none'),
    })
    .label('DocumentTables');
}

const words = (joi: JoiRoot) => joi.string().allow('');
const count = (joi: JoiRoot) => joi.number().integer().min(0);
const number1 = (joi: JoiRoot) => joi.number().integer().min(1);

/** How the document was read; what recognised text is told with `withOcr` alone. */
function readingMembers(joi: JoiRoot) {
  return {
    documentName: words(joi).required().description('Name of the upload'),
    mode: joi.string().valid('basic').required().description('How layout was read'),
    ocrPages: count(joi).description('With withOcr: pages whose text was recognised'),
    ocrEngine: joi.string().description('With withOcr: what recognised it'),
    ocrLanguages: joi
      .string()
      .description('With withOcr: languages that were looked for, joined by +')
      .example('eng+deu'),
  };
}

function placeMembers(joi: JoiRoot) {
  return {
    page: number1(joi).required().description('Page where it begins, from 1'),
    pageEnd: number1(joi).description('Last page of what goes on over page breaks'),
    bbox: joi
      .array()
      .items(joi.number())
      .min(4)
      .max(4)
      .required()
      .example([72, 96.5, 523.28, 110])
      .description(
        'Left, top, right, bottom on the page where it begins: points (1/72 inch) of the page as shown, from ' +
          'its upper left corner',
      ),
  };
}

function tableMembers(joi: JoiRoot) {
  return {
    columns: count(joi).description('Columns of a table'),
    headerRows: count(joi).description('Rows at the top of a table that name its columns'),
    rows: joi
      .array()
      .items(joi.array().items(words(joi)))
      .description(
        'Rows of a table, each with a text for each column; that of a merged cell stands in its first place',
      ),
    cells: joi
      .array()
      .items(
        joi
          .object({
            row: count(joi).required().description('Of its upper left corner, from 0'),
            column: count(joi).required().description('Of its upper left corner, from 0'),
            rowSpan: number1(joi).required().description('Rows that it takes'),
            colSpan: number1(joi).required().description('Columns that it takes'),
            header: joi.boolean().required().description('It names a column or a row'),
            text: words(joi).required().description('Its blocks, parted by line feeds'),
          })
          .label('TableCell'),
      )
      .description('Cells of a table from the first row to the last, merged ones once'),
  };
}

function listItem(joi: JoiRoot) {
  return joi
    .object({
      level: number1(joi).required().description('1 for the outermost'),
      marker: words(joi).required().description('As it is printed'),
      text: words(joi).required().description('Without inner lists, which follow as items of their own'),
    })
    .label('ListItem');
}
