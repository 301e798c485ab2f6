import { useEffect, useState } from 'preact/hooks';
import { LoadedView } from '../../../components/index.ts';
import type { PageTarget } from '../../../viewer/index.ts';
import { Beside } from '../beside.tsx';
import type { PartProps } from '../part.ts';
import { useAnswer } from '../use-answer.ts';
import './bookmarks.css';
import { Editor } from './editor.tsx';
import type { Bookmark } from './tree.ts';

interface BasicInfo {
  readonly pageCount: number;
}

/** The bookmarks of the document as a tree to edit. */
export function Part(props: PartProps) {
  const bookmarks = useAnswer<readonly Bookmark[]>(props, 'general/extract-bookmarks');
  const basic = useAnswer<BasicInfo>(props, 'analysis/basic-info');
  const [target, setTarget] = useState<PageTarget | undefined>();
  useEffect(() => setTarget(undefined), [props.file]);
  return (
    <Beside file={props.file} target={target}>
      <LoadedView loaded={bookmarks}>
        {(found) => (
          <Editor
            {...props}
            bookmarks={found}
            pageCount={basic.data?.pageCount}
            onPage={(page) => setTarget({ page: page - 1 })}
          />
        )}
      </LoadedView>
    </Beside>
  );
}
