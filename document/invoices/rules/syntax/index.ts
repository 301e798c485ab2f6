export { syntaxRules } from './syntax-rules.js';
