import { PDFRef } from 'pdf-lib';
import { asDict, catalogOf, entry } from '../file/objects/index.js';
import type { FileSource } from '../file/source/index.js';
import type { LazyDocument } from '../file/reader/index.js';
import { judgeForm } from './judge-form.js';
import { judgePages } from './judge-pages.js';
import { judgeStructure } from './judge-structure.js';
import { type ChangeRules, Judgement } from './judgement.js';
import { compareRevision, compareWhole, endsAt, type RevisionPair } from './revisions.js';
import { differingKeys } from './same-object.js';

/** Changes of a document after it was signed. */
export interface Changes {
  /**
   * `none`: nothing follows, or nothing that says anything. `allowed`: all of it is what may follow such a signature.
   */
  readonly state: 'none' | 'allowed' | 'refused';
  /** The changes in words; for `refused` only the forbidden ones. */
  readonly what: readonly string[];
  /** Objects that had to be read for it. */
  readonly read: number;
}

/** Additions that are always allowed: validation data, and entries that do not affect pages. */
const FREE_KEYS: ReadonlySet<string> = new Set(['DSS', 'Extensions', 'Metadata', 'Version']);

/**
 * Compares a document with what it was up to `end`, the end of a signature's range, object by object, and judges each
 * difference by what the signature allows: a certification its level (ISO 32000-2, table 257), an approval signature
 * that forms are filled in and signed further. Evidence (DSS) and document time stamps may always be added. What no
 * rule allows is refused, however harmless it looks.
 */
export function judgeChanges(
  source: Uint8Array | FileSource,
  now: LazyDocument,
  end: number,
  rules: ChangeRules,
  password?: string,
): Changes {
  if (endsAt(now, end)) return { state: 'none', what: [], read: 0 };
  const compared = compareRevision(source, now, end, password);
  if ('fault' in compared) return { state: 'refused', what: [compared.fault], read: 0 };
  const first = judge(compared, rules);
  let { read } = first;
  // Only reading all of it has shown that something had to be put right.
  const again = compared.then.recovered || compared.now.recovered ? judge(compareWhole(compared), rules) : undefined;
  read += again?.read ?? 0;
  const { judgement } = again ?? first;
  if (judgement.refused.length > 0) return { state: 'refused', what: judgement.refused, read };
  if (!now.continuable) return { state: 'refused', what: ['the cross-reference behind the signature is broken'], read };
  const nothing = judgement.pair.changed.size === 0 && judgement.allowed.length === 0;
  return nothing ? { state: 'none', what: [], read } : { state: 'allowed', what: judgement.allowed, read };
}

function judge(pair: RevisionPair, rules: ChangeRules): { readonly judgement: Judgement; readonly read: number } {
  const judgement = new Judgement(pair, rules);
  judgeTrailer(judgement);
  judgeCatalog(judgement);
  const fresh = judgeForm(judgement);
  judgePages(judgement, fresh);
  judgeStructure(judgement, fresh);
  return { judgement, read: judgement.finish() };
}

function judgeTrailer(judgement: Judgement): void {
  const { then, now, changed } = judgement.pair;
  // Other private entries have no effect; the catalog is judged by its known entries.
  if (differingKeys(then.trailer, now.trailer).includes('Encrypt')) judgement.refuse('the encryption was changed');
  const info = entry(then.trailer, 'Info');
  if (info instanceof PDFRef) {
    judgement.explain(info, { holder: 0, key: 'Info' });
    if (changed.has(info.objectNumber)) judgement.allow('the document information was changed');
  }
}

function judgeCatalog(judgement: Judgement): void {
  const { then, now } = judgement.pair;
  const root = entry(then.trailer, 'Root');
  const [before, after] = [catalogOf(then.context), catalogOf(now.context)];
  if (!(root instanceof PDFRef) || before === undefined || after === undefined)
    return judgement.refuse('the document has no catalog');
  judgement.judged.add(root.objectNumber);
  for (const key of differingKeys(before, after)) {
    if (key === 'AcroForm' || key === 'StructTreeRoot' || FREE_KEYS.has(key)) continue;
    judgement.refuse(`/${key} of the document catalog was ${entry(before, key) === undefined ? 'added' : 'changed'}`);
  }
  for (const key of FREE_KEYS) judgement.explain(entry(before, key), { holder: root.objectNumber, key });
  const evidence = entry(after, 'DSS');
  const [listsBefore, listsAfter] = [asDict(then.context, entry(before, 'DSS')), asDict(now.context, evidence)];
  if (listsAfter !== undefined && (listsBefore === undefined || differingKeys(listsBefore, listsAfter).length > 0))
    judgement.allow('evidence for signatures was added (DSS)');
}
