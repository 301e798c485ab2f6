import type { LanguageModel } from '@quire/registry';

/**
 * What a model answers where operations that ask one are checked, by the name of the answer: a note that is nowhere in
 * the document, and a label.
 */
const answers: Readonly<Record<string, object>> = {
  pdf_comments: { comments: [{ page: 1, quote: 'words that no document has', comment: 'A note' }], rationale: '' },
  document_class: { id: 'other', confidence: 1 },
};

/** A model that answers the same to everything. */
export const scriptedModel: LanguageModel = {
  usable: () => true,
  limits: { pages: 200, characters: 200_000 },
  ask: ({ answer: { name } }) => Promise.resolve(answers[name] ?? {}),
};
