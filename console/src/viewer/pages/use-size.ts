import type { RefObject } from 'preact';
import { useLayoutEffect, useState } from 'preact/hooks';

/** The inner size of an element in CSS pixels, kept up to date; 0 by 0 at first. */
export function useSize(element: RefObject<HTMLElement | null>): { readonly width: number; readonly height: number } {
  const [size, setSize] = useState({ width: 0, height: 0 });
  useLayoutEffect(() => {
    const found = element.current;
    if (found === null) return undefined;
    const read = (): void =>
      setSize((before) =>
        before.width === found.clientWidth && before.height === found.clientHeight
          ? before
          : { width: found.clientWidth, height: found.clientHeight },
      );
    read();
    const observer = new ResizeObserver(read);
    observer.observe(found);
    return () => observer.disconnect();
  }, []);
  return size;
}
