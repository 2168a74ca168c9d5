// A request in a list.
import type { RequestFacts } from '@cloudoc/contract'
import { minuteTime, shortTime } from '@cloudoc/domain'
import { type ReactNode, useState } from 'react'
import { useLocale, useT } from '../../core/i18n/i18n.ts'
import { isolated } from '../../core/i18n/isolate.ts'
import { type MenuEntry, showMenu } from '../../core/menu/menu.ts'
import { waitingTimeLabel } from './timeline.tsx'

interface RequestRowProps {
  readonly request: Omit<RequestFacts, 'reviewId'>
  readonly isMine: boolean
  readonly icon: ReactNode
  readonly name: string
  /** What is requested. */
  readonly what: string
  readonly onOpen: () => void
  readonly menu: () => MenuEntry[]
}

export function RequestRow({ request, isMine, icon, name, what, onOpen, menu }: RequestRowProps): ReactNode {
  const t = useT()
  const locale = useLocale()
  const [now] = useState(Date.now)
  const { userName, createTime, state, waitsFor, isAwaited, handleBefore } = request
  const who = waitsFor.map(({ accountName }) => isolated(accountName)).join(t('approvals.or'))
  return (
    <li>
      <button
        type="button"
        data-list-row={name}
        onClick={onOpen}
        onContextMenu={(event) => {
          event.preventDefault()
          void showMenu(menu(), { x: event.clientX, y: event.clientY })
        }}
      >
        {icon}
        <span className="ap-row-name">
          <b title={name}>{name}</b>
          <small>
            {isMine ? t('approvals.row.mine') : t('approvals.row.asks', { name: isolated(userName) })} {what}
          </small>
        </span>
        <span className="ap-row-state">
          <em data-state={state}>
            {t(isAwaited && state === 'pending' ? 'approvals.way.you' : `approvals.is.${state}`)}
          </em>
          {state === 'pending' && handleBefore !== null && (
            <em data-late={handleBefore <= now || undefined}>
              {t(handleBefore <= now ? 'approvals.row.late' : 'approvals.row.before', {
                time: minuteTime(handleBefore),
              })}
            </em>
          )}
          <small>
            {state === 'pending'
              ? `${isAwaited ? '' : `${who} · `}${t('approvals.way.since', { time: waitingTimeLabel(t, createTime, now) })}`
              : (request.handledBy?.accountName ?? '')}
          </small>
        </span>
        <time>{shortTime(createTime, now, locale)}</time>
      </button>
    </li>
  )
}
