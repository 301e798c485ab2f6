import './people.css';
import { initialsOf, type Person } from './person.ts';
import { usePicture } from './picture.ts';

interface AvatarProps {
  readonly person: Person;
  readonly size?: 'small' | 'large';
}

/** The picture of somebody, or the initials; the name is said beside it. */
export function Avatar({ person, size = 'small' }: AvatarProps) {
  const address = usePicture(person);
  return (
    <span
      class={size === 'large' ? 'avatar large' : 'avatar'}
      aria-hidden="true"
      data-initials={address === undefined ? initialsOf(person) : ''}
    >
      {address === undefined ? null : <img src={address} alt="" draggable={false} />}
    </span>
  );
}
