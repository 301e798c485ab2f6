import { Icon } from '../../../components/index.ts';
import { formatDate, formatNumber } from '../../../i18n/index.ts';
import { t } from '../texts.ts';
import { kindOfComment, type Thread } from './comment.ts';

interface CommentThreadProps {
  readonly thread: Thread;
  /** Shows a page, 0-based. */
  readonly onPage: (page: number) => void;
}

/** A comment, a click on which shows its page, and the answers to it. */
export function CommentThread({ thread: { comment, replies }, onPage }: CommentThreadProps) {
  const { icon, words } = kindOfComment(comment.type);
  const date = comment.modificationDate ?? comment.creationDate;
  const page = t('Page {page}', { page: formatNumber(comment.pageIndex + 1, { useGrouping: false }) });
  return (
    <li>
      <button type="button" class="comment" onClick={() => onPage(comment.pageIndex)}>
        <Icon name={icon} size={18} label={words} />
        <span class="grow">
          <span class="comment-head soft small">
            <span class="break" dir="auto">
              {comment.author ?? t('Unknown')}
            </span>
            <span>{[page, ...(date === null ? [] : [formatDate(date)])].join(' · ')}</span>
          </span>
          <span class={`comment-text break ${comment.text === '' ? 'soft' : ''}`} dir="auto">
            {comment.text === '' ? words : comment.text}
          </span>
        </span>
      </button>
      {replies.length === 0 ? null : (
        <ol>
          {replies.map((reply) => (
            <CommentThread key={reply.index} thread={reply} onPage={onPage} />
          ))}
        </ol>
      )}
    </li>
  );
}
