import type { TableTruth } from './support.js';

const four = (letter: string): TableTruth => [
  [`${letter}1`, `${letter}2`],
  [`${letter}3`, `${letter}4`],
];
const pairs = (a: string, b: string): TableTruth => [
  [`${a}1`, `${b}1`],
  [`${a}2`, `${b}2`],
];
const wide = (text: string, colSpan: number) => ({ text, colSpan });
const tall = (text: string, rowSpan: number) => ({ text, rowSpan });

/**
 * Documents whose tables are known, by the file in `../../fixtures/tables/`. Each was made of the source of the same
 * name beside it.
 */
export const madeTables: Readonly<Record<string, readonly TableTruth[]>> = {
  // Chromium: borders collapsed, dashed, dotted, double, separate, filled cells without borders, no border at the
  // sides, thick, from the right, turned text, a table in a table.
  'browser.pdf': [
    [
      ['Name', 'City', 'Amount'],
      ['Ann "A"', 'Paris, France', '1,200.50'],
      ['Bob', 'Berlin\nMitte', '-3'],
    ],
    [
      [tall('Region', 2), wide('Sales', 2)],
      ['Q1', 'Q2'],
      ['North', '10', '20'],
      ['South', wide('none', 2)],
    ],
    pairs('a', 'b'),
    pairs('c', 'd'),
    pairs('e', 'f'),
    pairs('g', 'h'),
    [
      ['i1', 'j1', 'k1'],
      ['i2', 'j2', 'k2'],
      ['i3', 'j3', 'k3'],
    ],
    [
      ['l1', 'm1', 'n1'],
      ['l2', 'm2', 'n2'],
    ],
    pairs('o', 'p'),
    [['المدينة'], ['القاهرة', 'محمد علي 25']],
    [
      ['upward text', 'normal'],
      ['x', 'y'],
    ],
    [
      ['in1', 'in2'],
      ['in3', 'in4'],
    ],
  ],
  // LibreOffice Writer: double, thick, dashed, dotted, filled, hair lines.
  'office.pdf': [
    [
      ['a', 'b', 'c'],
      ['d', wide('e f', 2)],
      ['g', 'h', 'i'],
    ],
    four('k'),
    four('m'),
    four('n'),
    four('p'),
    [[tall('q1', 2), 'q2'], ['q3'], ['q4', 'q5\nq6']],
  ],
  // LibreOffice from HTML: merged header cells, right-to-left and CJK text, a frame of its own around each cell.
  'web.pdf': [
    [
      [tall('Item', 2), wide('Price', 2), tall('Note', 2)],
      ['net', 'gross'],
      ['Apple', '1.00', '1.19', 'first line\nsecond line'],
      ['Pear, "Conference"', wide('on request', 2), ''],
      ['סך הכל', '3', '4', '合計 total'],
    ],
    [
      ['r1c1', 'r1c2'],
      ['r2c1', 'r2c2'],
      ['r3c1', 'r3c2'],
    ],
  ],
};

/**
 * Files of the corpus that nobody here made, with the page looked at; what is known of their tables was read off the
 * page.
 */
export const corpusTables: readonly {
  readonly file: string;
  readonly page: number;
  readonly tables: readonly TableTruth[];
}[] = [
  {
    file: 'pdfbox/document.pdf',
    page: 1,
    tables: [
      [
        [wide('Cell with colspan 3', 3)],
        [tall('Cell with rowspan 2', 2), 'row 1; cell 1', 'row 1; cell 2'],
        ['row 2; cell 1', 'row 2; cell 2'],
      ],
    ],
  },
  {
    file: 'OCRmyPDF/tagged.pdf',
    page: 1,
    tables: [
      [
        ['Column 1', 'Column 2'],
        ['Cell 1', 'Cell 2'],
        ['Cell 3', 'Cell 4'],
      ],
    ],
  },
  {
    file: 'dss/pades-enveloping-empty-bytes-cms.pdf',
    page: 1,
    tables: [
      [
        [wide('PARA:\nJAGUAR LAND ROVER LIMITED', 2)],
        ['DE:\nTRIBUNAL REGISTRAL\nADMINISTRATIVO', 'FECHA:\n16/07/2021'],
        ['CORREO:\nfaycamark@fayca.com', 'N° TOTAL DE PAGINAS\nINCLUYENDO PORTADA:\n2'],
        [],
        [wide('COPIAS:', 2)],
        [],
      ],
    ],
  },
  {
    file: 'pdfbox/PDFBOX-4417-001031.pdf',
    page: 1,
    tables: [
      [
        [
          tall('Program', 2),
          tall('FY 2006\nActuals', 2),
          tall('FY 2007\nPresident\nBudget', 2),
          wide('FY 2008\nInitiative', 2),
        ],
        ['FY 2008\nTotal1', '+/- 07 President\nBudget'],
        [wide('Budget Authority', 5)],
        ['Human Drugs', '$62,567,000', '$64,600,000', '$70,161,000', '$5,561,000'],
        ['Center', '$55,437,000', '$58,000,000', '$63,561,000', '$5,561,000'],
        ['Field', '$7,130,000', '$6,600,000', '$6,600,000', '-'],
        [wide('User Fees', 5)],
        ['Generic Drug User Fee', '0', '0', '$15,701,000', '$15,701,000'],
        ['Program Total', '$62,567,000', '$64,600,000', '$85,862,000', '$21,262,000'],
      ],
    ],
  },
  {
    file: 'veraPDF-corpus/7.2-t09-fail-a.pdf',
    page: 1,
    tables: [
      [
        ['THead-TR-TH', 'THead-TR-TH'],
        ['TBody-TR-TD', 'TBody-TR-TD'],
        ['TBody-TR-TD', 'TBody-TR-TD'],
        ['TFoot-TR-TD', 'TFoot-TR-TD'],
      ],
    ],
  },
  {
    file: 'pdf-lib/modify_document.pdf',
    page: 1,
    tables: [
      [
        [],
        [],
        [wide('4 Your first name and initial', 4), wide('Last name', 5)],
        [wide('If a joint return, spouse’s first name and initial', 4), wide('Last name', 5)],
        [wide('Home address (number and street)', 3), 'Apt. no.'],
        [wide('Foreign country name', 4), wide('Foreign province/state/county', 3), wide('Foreign postal code', 2)],
      ],
    ],
  },
  {
    file: 'pdf.js/standard_fonts.pdf',
    page: 1,
    tables: [
      [
        [wide('FONT: courier', 16)],
        [],
        [],
        ['', '!', '"', '#', '$', '%', '&', "'", '(', ')', '*', '+', ',', '-', '.', '/'],
        ['0', '1', '2', '3', '4', '5', '6', '7', '8', '9', ':', ';', '<', '=', '>', '?'],
      ],
    ],
  },
  {
    file: 'pdf.js/calgray.pdf',
    page: 1,
    tables: [
      [
        ['A = 0.75', 'A = 0.80', 'A = 0.90', 'A = 1.00'],
        ['A = 0.55', 'A = 0.60', 'A = 0.65', 'A = 0.70'],
        ['A = 0.35', 'A = 0.40', 'A = 0.45', 'A = 0.50'],
        ['A = 0.15', 'A = 0.20', 'A = 0.25', 'A = 0.30'],
        ['A = 0.00', 'A = 0.01', 'A = 0.05', 'A = 0.10'],
      ],
    ],
  },
];
