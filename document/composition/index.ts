export { composeHtml } from './html.js';
export type {
  Block,
  CellText,
  Column,
  Columns,
  Composition,
  Fact,
  Facts,
  Heading,
  Paragraph,
  Row,
  Table,
  Tone,
} from './model.js';
