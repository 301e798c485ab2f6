import type { LanguageModel } from '@quire/registry';

/**
 * Answers of the model by the name of the requested schema: a comment on words that are not in the document, and a
 * label.
 */
const answers: Readonly<Record<string, object>> = {
  pdf_comments: { comments: [{ page: 1, quote: 'words that no document has', comment: 'A note' }], rationale: '' },
  document_class: { id: 'other', confidence: 1 },
};

/** A model that always returns the same answers. */
export const scriptedModel: LanguageModel = {
  usable: () => true,
  limits: { pages: 200, characters: 200_000 },
  ask: ({ answer: { name } }) => Promise.resolve(answers[name] ?? {}),
};
