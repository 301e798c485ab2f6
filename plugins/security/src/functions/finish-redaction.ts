import type { DocumentFile, OutputFile, RunContext } from '@quire/registry';
import { maxDpi, tokens } from '@quire/registry';
import { pagesAsPictures } from './pages-as-pictures.js';
import { redactDocument, type RedactionPlan } from './redact-document.js';

/** Runs a redaction for an operation and hands out its result, as pictures when asked; `facts` are reported beside what was found. */
export async function runRedaction(file: DocumentFile, plan: RedactionPlan, ctx: RunContext, asPictures: boolean, facts: Readonly<Record<string, string | number | boolean>> = {}): Promise<readonly OutputFile[]> {
  const target = `${await ctx.folder()}/redacted.pdf`;
  const { matches, unreadable } = await redactDocument(file.path(), target, plan, { signal: ctx.signal, modified: ctx.use(tokens.clock).now(), progress: (done, total) => ctx.progress(done, total) });
  ctx.report({ ...facts, ...(plan.search === undefined ? {} : { matches }), ...(unreadable > 0 ? { unreadable } : {}) });
  if (!asPictures) return [await ctx.adopt(file, target)];
  const pictures = `${await ctx.folder()}/pictures.pdf`;
  await pagesAsPictures(target, pictures, { dpi: maxDpi(ctx), signal: ctx.signal, progress: (done, total) => ctx.progress(done, total) });
  return [await ctx.adopt(file, pictures)];
}
