import { useState } from 'preact/hooks';
import { Button, Empty, LoadedView } from '../../../components/index.ts';
import { type PageTarget, PointPicker } from '../../../viewer/index.ts';
import { Beside } from '../beside.tsx';
import type { PartProps } from '../part.ts';
import { t } from '../texts.ts';
import { useAnswer } from '../use-answer.ts';
import { workbench } from '../workbench.ts';
import { AddComment, type PlacedAt } from './add-comment.tsx';
import { type Comment, threadsOf } from './comment.ts';
import { CommentThread } from './comment-thread.tsx';
import './comments.css';

/** What readers wrote and drew on the pages; notes can be added. */
export function Part(props: PartProps) {
  const { file } = props;
  const comments = useAnswer<readonly Comment[]>(props, 'misc/list-comments');
  const [target, setTarget] = useState<PageTarget | undefined>();
  const [adding, setAdding] = useState(false);
  const [place, setPlace] = useState<PlacedAt | undefined>();
  const close = (): void => {
    setAdding(false);
    setPlace(undefined);
    props.setEdited(false);
  };
  return (
    <Beside
      file={file}
      target={target}
      instead={
        adding ? (
          <PointPicker
            files={[{ file, name: file.name }]}
            frame="page"
            label={t('Place of the note')}
            start={workbench.page.peek()}
            onPage={(page) => (workbench.page.value = page)}
            value={place?.page === workbench.page.value ? place : undefined}
            onValue={(point) => setPlace(point === undefined ? undefined : { ...point, page: workbench.page.value })}
          />
        ) : undefined
      }
    >
      <div class="row between">
        <h2>{t('Comments')}</h2>
        {adding ? null : (
          <Button icon="message-square-plus" onClick={() => setAdding(true)}>
            {t('Add a note')}
          </Button>
        )}
      </div>
      {adding ? <AddComment {...props} place={place} onClose={close} /> : null}
      <LoadedView loaded={comments}>
        {(found) =>
          found.length === 0 ? (
            <Empty icon="message-square" title={t('This document has no comments')} />
          ) : (
            <ol class="comment-list" aria-label={t('Comments')}>
              {threadsOf(found).map((thread) => (
                <CommentThread key={thread.index} thread={thread} onPage={(page) => setTarget({ page })} />
              ))}
            </ol>
          )
        }
      </LoadedView>
    </Beside>
  );
}
