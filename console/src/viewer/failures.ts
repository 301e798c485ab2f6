import type { ViewFailure } from './engine/index.ts';
import { t } from './texts.ts';

/** Why a file cannot be shown, in words, and what helps. */
export function failureText(code: ViewFailure): string {
  switch (code) {
    case 'password':
      return t('This file needs a password.');
    case 'wrongPassword':
      return t('This password does not open the file.');
    case 'security':
      return t('This file is encrypted in a way that cannot be shown here, for example for certain certificates.');
    case 'damaged':
      return t('This PDF is damaged and cannot be shown. The tool “Repair” may restore it.');
    case 'empty':
      return t('This file is empty.');
    case 'notPdf':
      return t('This file is not a PDF, although its name says so.');
    case 'noPages':
      return t('This PDF has no pages.');
    case 'tooLarge':
      return t('Files of 2 GB and more are not shown here. The tools accept them.');
    case 'unreadable':
      return t('The file has changed or was removed since it was chosen. Choose it again.');
    case 'network':
      return t('The file could not be loaded. Check the connection and try again.');
    case 'memory':
      return t('There is not enough memory to show this page.');
    case 'slow':
      return t('This page takes too long to show.');
    case 'unsupported':
      return t('This browser cannot show PDFs here. WebAssembly may be switched off.');
    case 'internal':
      return t('This page could not be shown.');
  }
}
