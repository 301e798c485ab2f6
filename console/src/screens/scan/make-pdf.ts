import { config, upload } from '../../api/index.ts';

/** The operation that makes one PDF of several pictures. */
export const PICTURES_TO_PDF = 'convert/img/pdf';

/** Makes a PDF of the pages, of the size that the administrator has chosen. */
export async function makePdf(pages: readonly File[], name: string): Promise<File> {
  const { blob } = await upload(PICTURES_TO_PDF, () => {
    const form = new FormData();
    for (const page of pages) form.append('fileInput', page, page.name);
    form.append('fitOption', fitOption());
    form.append('autoRotate', 'true');
    return form;
  });
  return new File([blob], name, { type: 'application/pdf' });
}

function fitOption(): string {
  if (config.value?.mobileScannerPageFormat === 'keep') return 'fitDocumentToImage';
  return config.value?.mobileScannerStretchToFit === true ? 'fillPage' : 'maintainAspectRatio';
}
