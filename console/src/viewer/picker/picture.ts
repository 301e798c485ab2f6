import { useEffect, useState } from 'preact/hooks';

/** A picture that the browser shows, with its size in pixels as displayed. */
export interface ShownPicture {
  readonly url: string;
  readonly width: number;
  readonly height: number;
}

/** Loads a picture; undefined without one, while it loads, and for what the browser cannot show. */
export function usePicture(file: Blob | undefined): ShownPicture | undefined {
  const [found, setFound] = useState<{ readonly of: Blob; readonly is: ShownPicture } | undefined>();
  useEffect(() => {
    if (file === undefined) return undefined;
    const url = URL.createObjectURL(file);
    const image = new Image();
    image.onload = () => {
      const { naturalWidth: width, naturalHeight: height } = image;
      if (width > 0 && height > 0) setFound({ of: file, is: { url, width, height } });
    };
    image.src = url;
    return () => {
      image.onload = null;
      setFound(undefined);
      URL.revokeObjectURL(url);
    };
  }, [file]);
  return found !== undefined && found.of === file ? found.is : undefined;
}
