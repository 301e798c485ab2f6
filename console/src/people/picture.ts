import { useEffect, useState } from 'preact/hooks';
import { callBlob } from '../api/index.ts';
import type { Person } from './person.ts';

/** Addresses of pictures that were loaded, by user and version. */
const loaded = new Map<string, Promise<string | undefined>>();

/** Returns an address of somebody's picture, once it is loaded: an image element could not send the session. */
export function usePicture({ id, pictureVersion }: Pick<Person, 'id' | 'pictureVersion'>): string | undefined {
  const [address, setAddress] = useState<string | undefined>();
  useEffect(() => {
    let isShown = true;
    setAddress(undefined);
    if (pictureVersion !== null) void load(id, pictureVersion).then((found) => isShown && setAddress(found));
    return () => {
      isShown = false;
    };
  }, [id, pictureVersion]);
  return address;
}

function load(id: number, version: string): Promise<string | undefined> {
  const key = `${id} ${version}`;
  const found =
    loaded.get(key) ??
    callBlob(`user/pictures/${id}`, { query: { version }, login: 'quiet' }).then(
      (blob) => URL.createObjectURL(blob),
      // Initials are shown instead.
      () => void loaded.delete(key),
    );
  loaded.set(key, found);
  return found;
}
