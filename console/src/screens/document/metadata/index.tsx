import { LoadedView, useLoaded } from '../../../components/index.ts';
import type { PartProps } from '../part.ts';
import { isAvailable } from '../use-answer.ts';
import { Beside } from '../beside.tsx';
import { MetadataForm } from './metadata-form.tsx';
import './metadata.css';
import { type Details, type Properties, valuesOf } from './values.ts';

const DETAILS = 'security/get-info-on-pdf';

/** Title, author, dates and entries with names of the author's own. */
export function Part(props: PartProps) {
  const { file, ask } = props;
  const loaded = useLoaded(async () => {
    const [properties, details] = await Promise.all([
      ask<Properties>('analysis/document-properties'),
      isAvailable(DETAILS) ? ask<Details>(DETAILS) : undefined,
    ]);
    return { values: valuesOf(properties, details), complete: details !== undefined };
  }, [file]);
  return (
    <Beside file={file}>
      <LoadedView loaded={loaded}>
        {({ values, complete }) => <MetadataForm {...props} before={values} complete={complete} />}
      </LoadedView>
    </Beside>
  );
}
