import { useRef, useState } from 'preact/hooks';
import { navigate } from '../../../app/router.ts';
import { Button, LinkButton, toast, useAttempt } from '../../../components/index.ts';
import { processingPage } from '../../files/stored-files.ts';
import { isOwn } from '../list.tsx';
import { runWithFiles, startNow, type Automation } from '../model/automation.ts';
import { t } from '../texts.ts';
import { SampleDialog } from './sample-dialog.tsx';

/** Starts it on its sources, or on files of one's own. */
export function StartButtons({ automation }: { readonly automation: Automation }) {
  const { id, inputs, editable, storageFolder } = automation;
  const { busy, attempt } = useAttempt<'start' | 'files'>();
  const [trying, setTrying] = useState(false);
  const chooser = useRef<HTMLInputElement>(null);
  const start = async (): Promise<void> => {
    const { taken, problems } = await startNow(id);
    for (const { detail } of problems) toast(detail, 'error');
    if (problems.length > 0 && taken === 0) return;
    toast(
      taken === 0
        ? t('There is no new file in its sources.')
        : t.count(taken, '{count} new file is processed', '{count} new files are processed'),
    );
  };
  const run = async (files: readonly File[]): Promise<void> => {
    const job = await runWithFiles(id, files);
    toast(t('The run has started.'), 'done', {
      label: t('Show the job'),
      run: () => navigate(`jobs/${encodeURIComponent(job)}`),
    });
  };
  return (
    <>
      {inputs.some(({ source }) => source !== null) ? (
        <Button kind="primary" icon="play" busy={busy === 'start'} onClick={() => void attempt('start', start)}>
          {t('Start now')}
        </Button>
      ) : null}
      <Button icon="upload" busy={busy === 'files'} onClick={() => chooser.current?.click()}>
        {t('Run with a file')}
      </Button>
      <input
        ref={chooser}
        type="file"
        multiple
        hidden
        aria-label={t('Run with a file')}
        onChange={({ currentTarget }) => {
          const files = [...(currentTarget.files ?? [])];
          currentTarget.value = '';
          if (files.length > 0) void attempt('files', () => run(files));
        }}
      />
      <Button icon="flask-conical" data-sample onClick={() => setTrying(true)}>
        {t('Try with a sample')}
      </Button>
      {trying ? <SampleDialog automation={automation} onClose={() => setTrying(false)} /> : null}
      {editable && storageFolder === null ? (
        <LinkButton icon="pencil" href={`automations/${id}/edit`}>
          {t('Change')}
        </LinkButton>
      ) : null}
      {storageFolder !== null && isOwn(automation) ? (
        <LinkButton icon="pencil" href={processingPage(storageFolder)}>
          {t('Change processing…')}
        </LinkButton>
      ) : null}
    </>
  );
}
