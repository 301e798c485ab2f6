import { useState } from 'preact/hooks';
import { LoadedView, useLoaded } from '../../../components/index.ts';
import { PageThumbnails } from '../../../viewer/index.ts';
import type { PartProps } from '../part.ts';
import './labels.css';
import { LabelEditor } from './label-editor.tsx';
import { labelsOf, type Ranges } from './ranges.ts';

interface BasicInfo {
  readonly pageCount: number;
}

/** The labels that viewers show for pages, below small pictures of them, and the ranges that make them. */
export function Part(props: PartProps) {
  const { file, ask } = props;
  const loaded = useLoaded(async () => {
    const [ranges, { pageCount }] = await Promise.all([
      ask<Ranges>('general/extract-page-labels'),
      ask<BasicInfo>('analysis/basic-info'),
    ]);
    return { ranges, pageCount };
  }, [file]);
  return (
    <LoadedView loaded={loaded}>
      {({ ranges, pageCount }) => <Labels {...props} before={ranges} pageCount={pageCount} />}
    </LoadedView>
  );
}

interface LabelsProps extends PartProps {
  readonly before: Ranges;
  readonly pageCount: number;
}

function Labels(props: LabelsProps) {
  const { file, before, pageCount } = props;
  const [ranges, setRanges] = useState(before);
  /** The page that was clicked: a range may begin there. */
  const [chosen, setChosen] = useState(1);
  const labels = labelsOf(ranges, pageCount);
  return (
    <div class="document-columns">
      <div class="stack">
        <LabelEditor {...props} ranges={ranges} onRanges={setRanges} labels={labels} page={chosen} />
      </div>
      <div class="label-pages">
        <PageThumbnails
          files={[{ file, name: file.name }]}
          caption={(page) => labels[page] ?? ''}
          chosen={chosen - 1}
          onPage={(page) => setChosen(page + 1)}
        />
      </div>
    </div>
  );
}
