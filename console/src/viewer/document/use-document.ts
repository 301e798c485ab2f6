import { useEffect, useState } from 'preact/hooks';
import { ViewError, type ViewedDocument, type ViewFailure } from '../engine/index.ts';
import { leaveShared, passwordsEntered, openShared } from './shared-documents.ts';

export type Opening =
  | { readonly state: 'opening' }
  | { readonly state: 'open'; readonly document: ViewedDocument }
  | { readonly state: 'failed'; readonly failure: ViewFailure };

const opening: Opening = { state: 'opening' };

/** Opens a file while the component is shown. */
export function useDocument(file: Blob | undefined, password?: string): Opening {
  const [found, setFound] = useState<{ readonly of: Blob | undefined; readonly is: Opening }>({
    of: undefined,
    is: opening,
  });
  const entered = passwordsEntered.value;
  useEffect(() => {
    if (file === undefined) return undefined;
    let left = false;
    const opened = openShared(file, password);
    opened.then(
      (document) => left || setFound({ of: file, is: { state: 'open', document } }),
      (error: unknown) => {
        const failure = error instanceof ViewError ? error.code : 'internal';
        if (!left) setFound({ of: file, is: { state: 'failed', failure } });
      },
    );
    return () => {
      left = true;
      leaveShared(file, opened);
    };
  }, [file, password, entered]);
  return found.of === file ? found.is : opening;
}
