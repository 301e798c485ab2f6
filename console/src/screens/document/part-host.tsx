import type { ComponentType } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { loadModule } from '../../api/index.ts';
import { Button, Empty, Loading } from '../../components/index.ts';
import { textsReady } from '../../i18n/index.ts';
import type { Part, PartProps } from './part.ts';
import { t } from './texts.ts';
import { workbench } from './workbench.ts';

interface PartHostProps {
  readonly part: Part;
  readonly file: File;
}

/** Loads a part when it is first shown. */
export function PartHost({ part, file }: PartHostProps) {
  const [Shown, setShown] = useState<ComponentType<PartProps> | undefined>();
  const [failed, setFailed] = useState(false);
  useEffect(() => {
    let left = false;
    loadModule(part.load).then(
      async ({ Part: component }) => {
        await textsReady();
        if (!left) setShown(() => component);
      },
      () => left || setFailed(true),
    );
    return () => {
      left = true;
      workbench.edited.value = false;
    };
  }, [part]);
  if (failed)
    return (
      <Empty icon="triangle-alert" title={t('This page could not be shown')}>
        <p class="soft">{t('The server may have been updated. Save the document before you load the page again.')}</p>
        <Button icon="refresh-cw" onClick={() => location.reload()}>
          {t('Load again')}
        </Button>
      </Empty>
    );
  if (Shown === undefined) return <Loading label={t('Loading')} />;
  return <Shown file={file} apply={workbench.apply} ask={workbench.ask} setEdited={setEdited} />;
}

function setEdited(edited: boolean): void {
  workbench.edited.value = edited;
}
