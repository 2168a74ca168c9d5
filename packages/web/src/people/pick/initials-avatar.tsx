import type { ReactNode } from 'react'
import './initials-avatar.css'

/** The last letters of a name on a coloured background. */
export function InitialsAvatar({
  id,
  name,
  size,
}: {
  readonly id: number
  readonly name: string
  readonly size?: 'large'
}): ReactNode {
  const isHan = /\p{Script=Han}/u.test(name)
  const letters = [...name].slice(isHan ? (size ? -2 : -1) : 0, isHan ? undefined : 1).join('')
  return (
    <span className={`pe-face is-h${id % 5}${size ? ` is-${size}` : ''}`} aria-hidden="true">
      {letters}
    </span>
  )
}
