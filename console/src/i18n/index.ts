export {
  compareTexts,
  formatBytes,
  formatDate,
  formatDuration,
  formatList,
  formatNumber,
  formatPercent,
} from './format.ts';
export { chooseLanguage, isLanguage, languages, type Language } from './languages.ts';
export { rt } from './registry.ts';
export { hasChosenLanguage, language, setLanguage, textsReady, type Texts, type Values } from './texts.ts';
export { screenTexts } from './screen-texts.ts';
