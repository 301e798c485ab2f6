import { config, upload } from '../../api/index.ts';
import { kept } from '../../app/preferences.ts';
import { usualPaper, type Paper } from './paper.ts';

/** The operation that makes one PDF of several pictures. */
export const PICTURES_TO_PDF = 'convert/img/pdf';

/** The paper of the PDF: as chosen last in this browser. */
export const paper = kept<Paper>('scanPaper', usualPaper(navigator.languages));

/** Whether the administrator wants pages of a paper size, rather than of the size of each picture. */
export function hasPaper(): boolean {
  return config.value?.mobileScannerPageFormat !== 'keep';
}

/** Makes a PDF of the pages, of the size that the administrator has chosen. */
export async function makePdf(pages: readonly File[], name: string): Promise<File> {
  const { blob } = await upload(PICTURES_TO_PDF, () => {
    const form = new FormData();
    for (const page of pages) form.append('fileInput', page, page.name);
    form.append('fitOption', fitOption());
    form.append('autoRotate', 'true');
    if (hasPaper()) form.append('pageSize', paper.value);
    return form;
  });
  return new File([blob], name, { type: 'application/pdf' });
}

function fitOption(): string {
  if (!hasPaper()) return 'fitDocumentToImage';
  return config.value?.mobileScannerStretchToFit === true ? 'fillPage' : 'maintainAspectRatio';
}
