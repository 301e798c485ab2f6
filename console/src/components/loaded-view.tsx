import type { ComponentChildren } from 'preact';
import { t } from '../i18n/frame.ts';
import { Button } from './button.tsx';
import { ProblemNotice } from './notice.tsx';
import { Loading } from './progress.tsx';
import type { Loaded } from './use-loaded.ts';

interface LoadedViewProps<T> {
  readonly loaded: Loaded<T>;
  readonly children: (data: T) => ComponentChildren;
}

/** Shows data once it is loaded; until then that it is loaded, or why it cannot be, with another attempt. */
export function LoadedView<T>({ loaded: { data, problem, reload }, children }: LoadedViewProps<T>) {
  if (problem !== undefined)
    return (
      <ProblemNotice
        problem={problem}
        actions={
          <Button icon="refresh-cw" onClick={() => void reload()}>
            {t('Try again')}
          </Button>
        }
      />
    );
  return data === undefined ? <Loading label={t('Loading')} /> : <>{children(data)}</>;
}
