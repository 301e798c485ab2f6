import type { JoiRoot } from '@quire/registry';

/** JSON answer of `parse-document` (`writeParsed`). Members that do not apply are left out. */
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
        .description('`other` is text across the page or beside its body'),
      ...placeMembers(joi),
      text: words(joi).required().description('All of its text; list items and table rows are separated by line feeds'),
      direction: joi.string().valid('rtl').description('Right-to-left text'),
      level: joi.number().integer().min(1).max(6).description('Heading level'),
      ordered: joi.boolean().description('List: the items are numbered'),
      items: joi.array().items(listItem(joi)).description('List items'),
      ...tableMembers(joi),
      alt: words(joi).description('Figure: alternative text'),
      image: joi
        .object({
          width: count(joi).required().description('Pixels'),
          height: count(joi).required().description('Pixels'),
          dpi: count(joi).required().description('Pixels to the inch, as shown'),
        })
        .label('BlockImage')
        .description('Figure: facts about its image'),
      mark: words(joi).description('Footnote mark as printed'),
    })
    .label('DocumentBlock');
  return joi
    .object({
      ...readingMembers(joi),
      title: words(joi).description('Title in the document information'),
      language: words(joi).description('Language of the document'),
      tagged: joi.boolean().required().description('The document has a structure tree'),
      pageCount: number1(joi).required().description('Pages of the document'),
      coordinates: joi.string().required().description('Describes the coordinates of `bbox`'),
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
      tables: joi.array().items(table).required().description('In page order; empty if there are none'),
    })
    .label('DocumentTables');
}

const words = (joi: JoiRoot) => joi.string().allow('');
const count = (joi: JoiRoot) => joi.number().integer().min(0);
const number1 = (joi: JoiRoot) => joi.number().integer().min(1);

/** How the document was read; facts about OCR only with `withOcr`. */
function readingMembers(joi: JoiRoot) {
  return {
    documentName: words(joi).required().description('Name of the upload'),
    mode: joi.string().valid('basic').required().description('How layout was read'),
    ocrPages: count(joi).description('With withOcr: pages whose text was recognised'),
    ocrEngine: joi.string().description('With withOcr: the OCR engine'),
    ocrLanguages: joi.string().description('With withOcr: OCR languages, joined by +').example('eng+deu'),
  };
}

function placeMembers(joi: JoiRoot) {
  return {
    page: number1(joi).required().description('Page where it starts, from 1'),
    pageEnd: number1(joi).description('Last page of a block that continues over page breaks'),
    bbox: joi
      .array()
      .items(joi.number())
      .min(4)
      .max(4)
      .required()
      .example([72, 96.5, 523.28, 110])
      .description(
        'Left, top, right, bottom on its first page, in points (1/72 inch) of the page as shown, from the ' +
          'upper left corner',
      ),
  };
}

function tableMembers(joi: JoiRoot) {
  return {
    columns: count(joi).description('Table: number of columns'),
    headerRows: count(joi).description('Table: number of header rows'),
    rows: joi
      .array()
      .items(joi.array().items(words(joi)))
      .description('Table rows with a text for each column; a merged cell has its text in its first position'),
    cells: joi
      .array()
      .items(
        joi
          .object({
            row: count(joi).required().description('Of its upper left corner, from 0'),
            column: count(joi).required().description('Of its upper left corner, from 0'),
            rowSpan: number1(joi).required().description('Rows it spans'),
            colSpan: number1(joi).required().description('Columns it spans'),
            header: joi.boolean().required().description('It is a column or row header'),
            text: words(joi).required().description('Its blocks, separated by line feeds'),
          })
          .label('TableCell'),
      )
      .description('Table cells in order; merged cells once'),
  };
}

function listItem(joi: JoiRoot) {
  return joi
    .object({
      level: number1(joi).required().description('1 for the outermost'),
      marker: words(joi).required().description('As it is printed'),
      text: words(joi).required().description('Without nested lists, which follow as items'),
    })
    .label('ListItem');
}
