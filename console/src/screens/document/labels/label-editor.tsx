import { useLayoutEffect, useState } from 'preact/hooks';
import { asProblem, type Problem } from '../../../api/index.ts';
import { Button, Empty, ProblemNotice, toast } from '../../../components/index.ts';
import { formatNumber } from '../../../i18n/index.ts';
import { ApplyBar } from '../apply-bar.tsx';
import type { PartProps } from '../part.ts';
import { t } from '../texts.ts';
import { RangeCard } from './range-card.tsx';
import { begun, rangeAt, sorted, type LabelRange, type Ranges } from './ranges.ts';

interface LabelEditorProps extends PartProps {
  readonly before: Ranges;
  readonly ranges: Ranges;
  readonly onRanges: (ranges: Ranges) => void;
  readonly labels: readonly string[];
  readonly pageCount: number;
  /** The page that was clicked, counted from 1. */
  readonly page: number;
}

/** The ranges of labels, one below the other. */
export function LabelEditor(props: LabelEditorProps) {
  const { before, ranges, onRanges, labels, pageCount, page, apply, setEdited } = props;
  const [problem, setProblem] = useState<Problem | undefined>();
  const edited = JSON.stringify(ranges) !== JSON.stringify(before);
  useLayoutEffect(() => setEdited(edited), [edited]);
  const current = rangeAt(ranges, page);
  const begins = current?.pageNumber === page;
  const change = (range: LabelRange, values: Partial<LabelRange>): void =>
    onRanges(sorted(ranges.map((each) => (each === range ? { ...range, ...values } : each))));
  const save = async (): Promise<void> => {
    setProblem(undefined);
    try {
      await apply({
        title: t('Page labels changed'),
        operation: 'general/edit-page-labels',
        fields: { labels: JSON.stringify(ranges) },
      });
      toast(t('Page labels changed'));
    } catch (error) {
      setProblem(asProblem(error));
    }
  };
  return (
    <>
      <div class="row between">
        <h2>{t('Page labels')}</h2>
        <Button icon="plus" disabled={begins} onClick={() => onRanges(begun(ranges, page))}>
          {t('Begin a range at page {page}', { page: formatNumber(page, { useGrouping: false }) })}
        </Button>
      </div>
      <p class="soft small">
        {t('Labels are the numbers that viewers show, for example i to iv before page 1. Click a page to choose it.')}
      </p>
      {ranges.length === 0 ? (
        <Empty icon="hash" title={t('This document has no page labels')}>
          <p class="soft">{t('Viewers number its pages 1, 2, 3.')}</p>
        </Empty>
      ) : (
        ranges.map((range, i) => (
          <RangeCard
            key={i}
            range={range}
            last={(ranges[i + 1]?.pageNumber ?? pageCount + 1) - 1}
            labels={labels}
            taken={ranges.filter((each) => each !== range).map(({ pageNumber }) => pageNumber)}
            pageCount={pageCount}
            chosen={range === current}
            onChange={(values) => change(range, values)}
            onRemove={() => onRanges(ranges.filter((each) => each !== range))}
          />
        ))
      )}
      {problem === undefined ? null : <ProblemNotice problem={problem} />}
      <ApplyBar edited={edited} onApply={save} onDiscard={() => onRanges(before)}>
        {t('Nothing is printed on the pages.')}
      </ApplyBar>
    </>
  );
}
