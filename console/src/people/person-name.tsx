import './people.css';
import { Avatar } from './avatar.tsx';
import type { Person } from './person.ts';

/** The name of somebody, with the user name, which says who it is. */
export function PersonName({ person }: { readonly person: Pick<Person, 'username' | 'displayName'> }) {
  const { username, displayName } = person;
  if (displayName === null || displayName === username) return <strong class="break">{username}</strong>;
  return (
    <span class="person-name">
      <strong class="break">
        <bdi>{displayName}</bdi>
      </strong>
      <span class="soft small break">
        <bdi>{username}</bdi>
      </span>
    </span>
  );
}

/** Somebody in a list: the picture and the name. */
export function PersonLine({ person }: { readonly person: Person }) {
  return (
    <span class="person">
      <Avatar person={person} />
      <PersonName person={person} />
    </span>
  );
}
