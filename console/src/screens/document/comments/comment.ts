import { t } from '../texts.ts';

/** A comment as `misc/list-comments` describes it. */
export interface Comment {
  /** 0-based. */
  readonly pageIndex: number;
  readonly type: string;
  readonly text: string;
  readonly author: string | null;
  /** ISO 8601. */
  readonly creationDate: string | null;
  readonly modificationDate: string | null;
  /** Index in the list of the one that it answers. */
  readonly replyTo: number | null;
}

/** A comment with the answers to it, and to these. */
export interface Thread {
  readonly index: number;
  readonly comment: Comment;
  readonly replies: readonly Thread[];
}

/** The comments with the answers below them. Answers in a circle stand alone. */
export function threadsOf(comments: readonly Comment[]): readonly Thread[] {
  const answers = new Map<number, number[]>();
  comments.forEach(({ replyTo }, i) => {
    if (replyTo !== null) answers.set(replyTo, [...(answers.get(replyTo) ?? []), i]);
  });
  const shown = new Set<number>();
  const threadOf = (index: number): Thread => {
    shown.add(index);
    const replies = (answers.get(index) ?? []).filter((reply) => !shown.has(reply)).map(threadOf);
    return { index, comment: comments[index]!, replies };
  };
  const roots = comments.flatMap(({ replyTo }, i) => (replyTo === null ? [threadOf(i)] : []));
  const rest = comments.flatMap((_comment, i) => (shown.has(i) ? [] : [threadOf(i)]));
  return [...roots, ...rest];
}

/** The kind of a comment in words, and its icon. */
export function kindOfComment(type: string): { readonly icon: string; readonly words: string } {
  switch (type) {
    case 'Text':
      return { icon: 'message-square', words: t('Note') };
    case 'FreeText':
      return { icon: 'type', words: t('Text on the page') };
    case 'Highlight':
      return { icon: 'highlighter', words: t('Highlight') };
    case 'Underline':
    case 'Squiggly':
      return { icon: 'underline', words: t('Underlined') };
    case 'StrikeOut':
      return { icon: 'strikethrough', words: t('Struck out') };
    case 'Caret':
      return { icon: 'text-cursor-input', words: t('Insertion') };
    case 'Stamp':
      return { icon: 'stamp', words: t('Stamp') };
    case 'FileAttachment':
      return { icon: 'paperclip', words: t('Attached file') };
    case 'Sound':
      return { icon: 'volume-2', words: t('Sound') };
    case 'Redact':
      return { icon: 'eraser', words: t('Marked for redaction') };
    default:
      return { icon: 'pencil', words: t('Drawing') };
  }
}
