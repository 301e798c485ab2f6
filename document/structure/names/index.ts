export {
  type ActionTarget,
  destinationPage,
  explicitDestination,
  type NamedDestinations,
  readNamedDestinations,
  targetOf,
} from './destinations.js';
export { distinctNames } from './distinct-names.js';
