import { useEffect, useRef, useState } from 'preact/hooks';
import { Button, IconButton, Notice } from '../../../components/index.ts';
import { formatList, formatNumber } from '../../../i18n/index.ts';
import { workbench } from '../workbench.ts';
import type { Match } from './calls.ts';
import { byPage } from './receipt-data.ts';
import type { Redaction } from './redaction.ts';
import { Check } from './terms-form.tsx';
import { t } from './texts.ts';
import { elsewhereWords } from './words.ts';

/** More are shown on request: a page with many thousands would be slow. */
const SHOWN = 300;

/** The matches by page, each with the words around it, to be looked at and chosen. */
export function MatchList({ redaction }: { readonly redaction: Redaction }) {
  const list = useRef<HTMLDivElement>(null);
  const [shown, setShown] = useState(SHOWN);
  const found = redaction.found.value;
  const current = redaction.current.value;
  useEffect(() => setShown(SHOWN), [found]);
  useEffect(() => {
    list.current?.querySelector(`[data-id="${current ?? ''}"]`)?.scrollIntoView({ block: 'nearest' });
  }, [current]);
  if (found === undefined) return null;
  const { matches, elsewhere, unreadable, unreadableFonts } = found.preview;
  const kept = redaction.kept.value;
  const at = matches.findIndex(({ id }) => id === current);
  const show = (match: Match | undefined): void => {
    if (match === undefined) return;
    redaction.current.value = match.id;
    workbench.page.value = match.page - 1;
  };
  const step = (by: 1 | -1): void => {
    const next = matches.at(at < 0 ? (by === 1 ? 0 : -1) : (at + by) % matches.length);
    if (next === undefined) return;
    setShown((before) => Math.max(before, matches.indexOf(next) + 1));
    show(next);
  };
  const keys = (event: KeyboardEvent): void => {
    const by = ({ ArrowDown: 1, ArrowUp: -1 } as const)[event.key as 'ArrowDown' | 'ArrowUp'];
    if (by === undefined) return;
    event.preventDefault();
    const boxes = [...(list.current?.querySelectorAll<HTMLInputElement>('[data-id] input') ?? [])];
    boxes[boxes.indexOf(event.target as HTMLInputElement) + by]?.focus();
  };
  const outside = elsewhereWords(elsewhere);
  return (
    <section class="stack" aria-label={t('Matches')}>
      <div class="row between">
        <div role="status">
          <h2 class="redact-heading">
            {matches.length === 0
              ? t('0 found')
              : t('{chosen} of {count} matches are chosen', {
                  chosen: formatNumber(redaction.chosen.value.length),
                  count: formatNumber(matches.length),
                })}
          </h2>
        </div>
        {matches.length === 0 ? null : (
          <div class="view-group">
            <IconButton size="small" icon="chevron-up" label={t('Previous match')} onClick={() => step(-1)} />
            <span class="small redact-count">
              {at < 0 ? '–' : formatNumber(at + 1)} / {formatNumber(matches.length)}
            </span>
            <IconButton size="small" icon="chevron-down" label={t('Next match')} onClick={() => step(1)} />
            <Button
              size="small"
              kind="quiet"
              onClick={() =>
                redaction.keep(
                  matches.map(({ id }) => id),
                  false,
                )
              }
            >
              {t('All')}
            </Button>
            <Button
              size="small"
              kind="quiet"
              onClick={() =>
                redaction.keep(
                  matches.map(({ id }) => id),
                  true,
                )
              }
            >
              {t('None')}
            </Button>
          </div>
        )}
      </div>
      {matches.length === 0 ? (
        <p class="soft">{t('The terms are not in the text of any page.')}</p>
      ) : (
        <div class="redact-list" ref={list} onKeyDown={keys}>
          {[...byPage(matches.slice(0, shown))].map(([page, own]) => (
            <section key={page} aria-label={t('Page {page}', { page: formatNumber(page) })}>
              <div class="redact-list-page">
                <Check
                  label={t('Page {page}', { page: formatNumber(page) })}
                  checked={own.every(({ id }) => !kept.has(id))}
                  mixed={own.some(({ id }) => kept.has(id)) && own.some(({ id }) => !kept.has(id))}
                  onChecked={(on) =>
                    redaction.keep(
                      own.map(({ id }) => id),
                      !on,
                    )
                  }
                />
                <span class="soft small">{t.count(own.length, '{count} match', '{count} matches')}</span>
              </div>
              {own.map((match) => (
                <label
                  key={match.id}
                  class={`redact-match ${match.id === current ? 'current' : ''} ${kept.has(match.id) ? 'stays' : ''}`}
                  data-id={match.id}
                >
                  <input
                    type="checkbox"
                    checked={!kept.has(match.id)}
                    onFocus={() => show(match)}
                    onChange={(event) => redaction.keep([match.id], !event.currentTarget.checked)}
                  />
                  <span dir="auto">
                    {shortened(match.before, 'end')}
                    <mark>{match.text}</mark>
                    {shortened(match.after, 'start')}
                  </span>
                </label>
              ))}
            </section>
          ))}
          {matches.length <= shown ? null : (
            <Button kind="quiet" onClick={() => setShown(shown + SHOWN)}>
              {t('Show more')}
            </Button>
          )}
        </div>
      )}
      {outside.length === 0 ? null : (
        <p class="small soft">
          {t('Outside of the pages, the terms are also in: {places}.', { places: formatList(outside) })}
        </p>
      )}
      {unreadable === 0 ? null : (
        <Notice kind="warning">
          <p>
            {t.count(
              unreadable,
              '{count} character cannot be searched, because its font does not say which it is.',
              '{count} characters cannot be searched, because their fonts do not say which they are.',
            )}{' '}
            {t('Look at these pages yourself, or check the result with OCR. Fonts: {fonts}', {
              fonts: formatList(unreadableFonts.filter((name) => name !== '')),
            })}
          </p>
        </Notice>
      )}
    </section>
  );
}

const CONTEXT = 32;

/** The part of the context next to the match. */
function shortened(text: string, side: 'start' | 'end'): string {
  if (text.length <= CONTEXT) return text;
  return side === 'end' ? `…${text.slice(-CONTEXT)}` : `${text.slice(0, CONTEXT)}…`;
}
