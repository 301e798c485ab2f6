export { Avatar } from './avatar.tsx';
export { PersonLine, PersonName } from './person-name.tsx';
export { nameOf, type Person } from './person.ts';
