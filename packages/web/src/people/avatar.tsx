import type { ReactNode } from 'react'
import { streamUrl } from '../core/call/api.ts'
import './avatar.css'

/**
 * The user's initials: of a Chinese name the last two characters, of a longer one the first two; otherwise two letters.
 */
function initials(name: string): string {
  const characters = Array.from(name.trim())
  if (characters.some((character) => /\p{Script=Han}/u.test(character))) {
    return (characters.length > 3 ? characters.slice(0, 2) : characters.slice(-2)).join('')
  }
  const words = name.trim().split(/\s+/)
  return words
    .slice(0, 2)
    .map((word) => Array.from(word)[0] ?? '')
    .join('')
    .toUpperCase()
}

/** The address of a picture. */
export const pictureUrl = (pictureId: string): string => streamUrl('getPicture', { pictureId })

interface AvatarProps {
  readonly name: string
  /** The id of the picture; empty shows the initials. */
  readonly picture: string
  readonly size: number
}

/** A user's picture or initials. Hidden from screen readers, because the name is next to it. */
export function Avatar({ name, picture, size }: AvatarProps): ReactNode {
  return (
    <span
      className="avatar"
      aria-hidden="true"
      data-initials={initials(name)}
      style={{ width: size, height: size, fontSize: Math.round(size * 0.36) }}
    >
      {picture !== '' && <img src={pictureUrl(picture)} alt="" width={size} height={size} draggable={false} />}
    </span>
  )
}
