import { Beside } from '../beside.tsx';
import type { PartProps } from '../part.ts';
import { Facts } from './facts.tsx';

/** What the document is, in words, with its pages. */
export function Part({ file, ask, apply }: PartProps) {
  return (
    <Beside file={file}>
      <Facts file={file} ask={ask} apply={apply} />
    </Beside>
  );
}
