import { useEffect, useState } from 'preact/hooks';
import { Field, IconButton, TextInput } from '../../../components/index.ts';
import { formatNumber } from '../../../i18n/index.ts';
import { type PageBox, type PageRect, rectFromFrame, type ViewedDocument } from '../../../viewer/engine/index.ts';
import { between } from '../../../viewer/picker/rectangle.ts';
import { useDocument } from '../../../viewer/document/use-document.ts';
import { workbench } from '../workbench.ts';
import { areaWords } from './area-layer.tsx';
import type { Area } from './calls.ts';
import { areaOf } from './places.ts';
import type { Redaction } from './redaction.ts';
import { t } from './texts.ts';
import { pagesOf, pagesWords } from './words.ts';

interface AreaListProps {
  readonly redaction: Redaction;
  readonly file: File;
}

/** Areas drawn by hand with their numbers, and whole pages. */
export function AreaList({ redaction, file }: AreaListProps) {
  const opened = useDocument(file);
  if (opened.state !== 'open') return null;
  const { document } = opened;
  const areas = redaction.areas.value;
  return (
    <section class="stack" aria-label={t('Areas and pages')}>
      <h2 class="redact-heading">{t('Areas and pages')}</h2>
      {areas.length === 0 ? (
        <p class="soft small">{t('Draw on the page, select text there, or add an area and move it with the keys.')}</p>
      ) : (
        <ul class="redact-area-list">
          {areas.map((area) => (
            <AreaItem key={area.id} redaction={redaction} area={area} box={document.box(area.page)} />
          ))}
        </ul>
      )}
      <WholePages redaction={redaction} document={document} />
    </section>
  );
}

interface AreaItemProps {
  readonly redaction: Redaction;
  readonly area: Area;
  readonly box: PageBox;
}

function AreaItem({ redaction, area, box }: AreaItemProps) {
  const chosen = redaction.chosenArea.value === area.id;
  const page = formatNumber(area.page + 1);
  const rect = rectFromFrame(box, 'page', area);
  const show = (): void => {
    redaction.chosenArea.value = area.id;
    workbench.page.value = area.page;
  };
  const change = (part: Partial<PageRect>): void => {
    const { x, y, width, height } = { ...rect, ...part };
    redaction.move(area.id, areaOf(box, between(box, { x, y }, { x: x + width, y: y + height })));
  };
  return (
    <li class={chosen ? 'chosen' : ''}>
      <div class="row between">
        <button type="button" class="link grow" aria-expanded={chosen} onClick={show}>
          {t('Page {page}', { page })}: {areaWords(box, area)}
        </button>
        <IconButton
          size="small"
          icon="trash-2"
          label={t('Delete the area on page {page}', { page })}
          onClick={() => redaction.delete(area.id)}
        />
      </div>
      {chosen ? (
        <div class="redact-numbers">
          <PointField label={t('From the left (pt)')} value={rect.x} onValue={(x) => change({ x })} />
          <PointField label={t('From the top (pt)')} value={rect.y} onValue={(y) => change({ y })} />
          <PointField label={t('Width (pt)')} value={rect.width} least={1} onValue={(width) => change({ width })} />
          <PointField label={t('Height (pt)')} value={rect.height} least={1} onValue={(height) => change({ height })} />
        </div>
      ) : null}
    </li>
  );
}

interface PointFieldProps {
  readonly label: string;
  readonly value: number;
  readonly least?: number;
  readonly onValue: (value: number) => void;
}

function PointField({ label, value, least = 0, onValue }: PointFieldProps) {
  return (
    <Field label={label}>
      {(control) => (
        <input
          {...control}
          type="number"
          class="input"
          min={least}
          step="any"
          value={Math.round(value * 10) / 10}
          onChange={(event) => {
            const next = event.currentTarget.valueAsNumber;
            if (Number.isFinite(next) && next >= least) onValue(next);
            else event.currentTarget.value = String(Math.round(value * 10) / 10);
          }}
        />
      )}
    </Field>
  );
}

function WholePages({ redaction, document }: { readonly redaction: Redaction; readonly document: ViewedDocument }) {
  const known = pagesWords(redaction.pages.value);
  const [typed, setTyped] = useState(known);
  useEffect(() => setTyped(known), [known]);
  const wrong = pagesOf(typed, document.pageCount) === undefined;
  return (
    <Field
      label={t('Whole pages')}
      help={t('Numbers and ranges, such as 2, 4-6.')}
      error={
        wrong
          ? t('Write page numbers from 1 to {count}, such as 2, 4-6.', { count: formatNumber(document.pageCount) })
          : undefined
      }
    >
      {(control) => (
        <TextInput
          control={control}
          value={typed}
          inputMode="numeric"
          onText={setTyped}
          onChange={() => {
            const pages = pagesOf(typed, document.pageCount);
            if (pages !== undefined) redaction.setPages(pages);
          }}
        />
      )}
    </Field>
  );
}
