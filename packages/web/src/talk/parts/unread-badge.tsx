import type { ReactNode } from 'react'
import { useStore } from 'zustand'
import { useT } from '../../core/i18n/i18n.ts'
import { useCommands } from '../../core/menu/commands.ts'
import { badgeOf } from '../../core/notices/notice-groups.ts'
import { openWindow } from '../../core/windows/index.ts'
import { unreadStore } from '../state/events.ts'

/** The number of unread messages, on the entry of the rail ([R100], [R298]). */
export function UnreadBadge(): ReactNode {
  const t = useT()
  const { unread } = useStore(unreadStore)
  // The rail is on every page, so its commands are found from everywhere.
  useCommands(() => [{ id: 'talk.find', label: t('talk.find'), run: () => void openWindow('im-search', {}) }])
  if (unread === 0) return null
  return (
    <small className="shell-badge" role="status" aria-label={t('talk.unread', { n: unread })}>
      {badgeOf(unread)}
    </small>
  )
}
