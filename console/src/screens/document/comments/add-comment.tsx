import { useLayoutEffect, useState } from 'preact/hooks';
import { asProblem, user, type Problem } from '../../../api/index.ts';
import { kept } from '../../../app/preferences.ts';
import { Button, Field, ProblemNotice, TextArea, TextInput, toast } from '../../../components/index.ts';
import { formatNumber } from '../../../i18n/index.ts';
import { nameOf } from '../../../people/index.ts';
import type { PartProps } from '../part.ts';
import { t } from '../texts.ts';

/** Where the note stands: its upper left corner in points of the page's own coordinates. */
export interface PlacedAt {
  /** 0-based. */
  readonly page: number;
  readonly x: number;
  readonly y: number;
}

interface AddCommentProps extends PartProps {
  readonly place: PlacedAt | undefined;
  readonly onClose: () => void;
}

/** Points; the size that readers give to notes. */
const SIDE = 20;
/** Who writes notes in this browser. */
const author = kept('commentAuthor', '');

/** The words of a new note; its place is chosen on the page. */
export function AddComment({ place, apply, setEdited, onClose }: AddCommentProps) {
  const [text, setText] = useState('');
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<Problem | undefined>();
  const name = author.value || (user.value === undefined ? '' : nameOf(user.value));
  useLayoutEffect(() => setEdited(text !== ''), [text !== '']);
  const add = async (at: PlacedAt): Promise<void> => {
    setBusy(true);
    setProblem(undefined);
    const note = { pageIndex: at.page, x: at.x, y: at.y - SIDE, width: SIDE, height: SIDE, text };
    try {
      await apply({
        title: t('Note added'),
        operation: 'misc/add-comments',
        fields: { comments: JSON.stringify([name.trim() === '' ? note : { ...note, author: name.trim() }]) },
      });
      toast(t('Note added'));
      onClose();
    } catch (error) {
      setProblem(asProblem(error));
      setBusy(false);
    }
  };
  return (
    <form
      class="card stack"
      onSubmit={(event) => {
        event.preventDefault();
        if (place !== undefined && text.trim() !== '' && !busy) void add(place);
      }}
    >
      <Field label={t('Note')}>
        {(control) => <TextArea control={control} dir="auto" value={text} onText={setText} autoFocus />}
      </Field>
      <Field label={t('Author')} help={t('Kept in this browser.')}>
        {(control) => (
          <TextInput control={control} dir="auto" value={name} onText={(words) => (author.value = words)} />
        )}
      </Field>
      <p class="soft small" role="status">
        {place === undefined
          ? t('Click on the page where the note shall stand.')
          : t('The note is on page {page}.', { page: formatNumber(place.page + 1, { useGrouping: false }) })}
      </p>
      {problem === undefined ? null : <ProblemNotice problem={problem} />}
      <div class="row">
        <Button
          kind="primary"
          type="submit"
          icon="check"
          busy={busy}
          disabled={place === undefined || text.trim() === ''}
        >
          {t('Add')}
        </Button>
        <Button onClick={onClose}>{t('Cancel')}</Button>
      </div>
    </form>
  );
}
