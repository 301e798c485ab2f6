import { useState } from 'preact/hooks';
import { changed, newPage, type Page, retaken } from './page.ts';

export interface Pages {
  readonly all: readonly Page[];
  /** A picture is being read or straightened. */
  readonly busy: boolean;
  /** The last picture could not be read. */
  readonly failed: boolean;
  /** Adds pages; the first picture replaces that of `instead`. */
  add(pictures: readonly Blob[], instead?: Page): Promise<void>;
  change(page: Page, change: Parameters<typeof changed>[1]): Promise<void>;
  move(from: number, to: number): void;
  remove(page: Page): void;
  clear(): void;
}

/** The pages on the phone, until they are sent. */
export function usePages(): Pages {
  const [all, setAll] = useState<readonly Page[]>([]);
  const [busy, setBusy] = useState(false);
  const [failed, setFailed] = useState(false);
  const work = async (run: () => Promise<void>): Promise<void> => {
    setBusy(true);
    setFailed(false);
    try {
      await run();
    } catch {
      setFailed(true);
    }
    setBusy(false);
  };
  const replace = (page: Page, make: () => Promise<Page>): Promise<void> =>
    work(async () => {
      const after = await make();
      setAll((before) => before.map((each) => (each.id === page.id ? after : each)));
    });
  return {
    all,
    busy,
    failed,
    change: (page, to) => replace(page, () => changed(page, to)),
    add: async (pictures, instead) => {
      const [first, ...others] = pictures;
      if (instead !== undefined && first !== undefined) await replace(instead, () => retaken(instead, first));
      await work(async () => {
        for (const picture of instead === undefined ? pictures : others) {
          const page = await newPage(picture);
          setAll((before) => [...before, page]);
        }
      });
    },
    move: (from, to) =>
      setAll((before) => {
        const after = [...before];
        after.splice(to, 0, ...after.splice(from, 1));
        return after;
      }),
    remove: (page) => {
      URL.revokeObjectURL(page.url);
      setAll((before) => before.filter((each) => each.id !== page.id));
    },
    clear: () => {
      for (const { url } of all) URL.revokeObjectURL(url);
      setAll([]);
    },
  };
}
