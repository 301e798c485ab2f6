import type { ComponentChildren } from 'preact';
import { type PageTarget, PdfView } from '../../viewer/index.ts';
import { workbench } from './workbench.ts';

interface BesideProps {
  readonly file: File;
  /** Each new object goes to its page. */
  readonly target?: PageTarget | undefined;
  /** Shown instead of the pages. */
  readonly instead?: ComponentChildren;
  readonly children: ComponentChildren;
}

/** A part with the pages of the document beside it, at the page that was shown last. */
export function Beside({ file, target, instead, children }: BesideProps) {
  return (
    <div class="document-columns">
      <div class="stack">{children}</div>
      <div class="document-pages">
        {instead ?? (
          <PdfView
            file={file}
            name={file.name}
            page={workbench.page.peek()}
            target={target}
            onPage={(page) => (workbench.page.value = page)}
          />
        )}
      </div>
    </div>
  );
}
