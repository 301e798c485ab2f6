import { useMemo } from 'preact/hooks';
import { LinkButton, LoadedView, useLoaded } from '../../../components/index.ts';
import { Tool } from '../../tool/index.tsx';
import { t } from '../texts.ts';
import { asOperation, getSaved, type SavedPipeline } from './saved.ts';

/** A saved pipeline with its form: it runs like a tool. */
export function SavedTool({ name }: { readonly name: string }) {
  const loaded = useLoaded((signal) => getSaved(name, signal), [name]);
  if (loaded.data !== undefined) return <Found saved={loaded.data} />;
  return (
    <div class="page">
      <LinkButton kind="quiet" size="small" icon="arrow-left" href="pipelines">
        {t('Pipelines')}
      </LinkButton>
      <LoadedView loaded={loaded}>{() => null}</LoadedView>
    </div>
  );
}

function Found({ saved }: { readonly saved: SavedPipeline }) {
  const operation = useMemo(() => asOperation(saved), [saved]);
  return <Tool operation={operation} home={{ address: 'pipelines', title: t('Pipelines') }} />;
}
