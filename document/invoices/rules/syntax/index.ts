export { checkSyntax, type Elements } from './check-syntax.js';
