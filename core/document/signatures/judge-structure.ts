import type { PDFDict } from 'pdf-lib';
import { catalogOf, entry } from '../objects/index.js';
import type { Judgement } from './judgement.js';
import { sameObject } from './same-object.js';

export function judgeStructure(judgement: Judgement, fresh: ReadonlySet<PDFDict>): void {
  const { then, now } = judgement.pair;
  const [before, after] = [catalogOf(then.context), catalogOf(now.context)];
  if (before === undefined || after === undefined || fresh.size > 0) return;
  if (!sameObject(entry(before, 'StructTreeRoot'), entry(after, 'StructTreeRoot'))) judgement.refuse('/StructTreeRoot of the document catalog was changed');
}
