// The avatar of a user, which opens their card ([R008]).
import type { ReactNode } from 'react'
import { useT } from '../../core/i18n/i18n.ts'
import { openWindow } from '../../core/windows/index.ts'
import { InitialsAvatar } from './initials-avatar.tsx'

interface PersonAvatarProps {
  readonly id: number
  readonly name: string
  readonly size?: 'large'
}

export function PersonAvatar({ id, name, ...looks }: PersonAvatarProps): ReactNode {
  const t = useT()
  const label = t('people.card', { name })
  return (
    <button
      type="button"
      className="pe-face-open"
      aria-label={label}
      data-tip={label}
      onClick={() => void openWindow('cloudoc-person-card', { accountId: id })}
    >
      <InitialsAvatar id={id} name={name} {...looks} />
    </button>
  )
}
