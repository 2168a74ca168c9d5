// The history of a conversation by pages, and its pictures, files, links and cards ([R299], [R301]).
import { useInfiniteQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { api } from '../../core/call/api.ts'
import { useT } from '../../core/i18n/i18n.ts'
import type { WindowProps } from '../../core/windows/index.ts'
import { Button } from '../../kit/button.tsx'
import { Spinner } from '../../kit/spinner.tsx'
import { Tabs } from '../../kit/tabs.tsx'
import { LogEntry } from '../parts/log-entry.tsx'
import '../parts/talk.css'
import './windows.css'

export interface LogProps {
  readonly conversationId: number
  readonly name?: string
  readonly kind?: Kind
}
type Kind = 'all' | 'img' | 'file' | 'link' | 'share'

type Place = { readonly before?: number; readonly after?: number; readonly date?: number }

/** Shows the history of a conversation, the newest page first. */
export function LogWindow({ conversationId, kind: first = 'all' }: WindowProps<LogProps>): ReactNode {
  const t = useT()
  const [kind, setKind] = useState<Kind>(first)
  const [day, setDay] = useState('')
  const start: Place = day === '' ? {} : { date: new Date(`${day}T00:00:00`).getTime() }
  const history = useInfiniteQuery({
    queryKey: ['im-log', conversationId, day],
    enabled: kind === 'all',
    initialPageParam: start,
    staleTime: 0,
    queryFn: ({ pageParam }) => api.imHistory({ conversationId, ...pageParam }),
    getNextPageParam: ({ list, newer }): Place | undefined =>
      newer && list.length > 0 ? { after: list.at(-1)?.number ?? 0 } : undefined,
    getPreviousPageParam: ({ list, older }): Place | undefined =>
      older && list.length > 0 ? { before: list[0]?.number ?? 0 } : undefined,
  })
  const shares = useInfiniteQuery({
    queryKey: ['im-shares', conversationId, kind],
    enabled: kind !== 'all',
    initialPageParam: 0,
    staleTime: 0,
    queryFn: ({ pageParam }) =>
      api.imShares({
        conversationId,
        kind: kind === 'all' ? 'file' : kind,
        ...(pageParam !== 0 && { before: pageParam }),
      }),
    getNextPageParam: ({ list, more }) => (more ? list.at(-1)?.number : undefined),
  })
  const messages = history.data?.pages.flatMap(({ list }) => list) ?? []
  const shared = shares.data?.pages.flatMap(({ list }) => list) ?? []
  const isLoading = kind === 'all' ? history.isPending : shares.isPending
  const error = kind === 'all' ? history.error : shares.error
  const shown = kind === 'all' ? messages : shared
  return (
    <div className="im-search">
      <div className="im-filters">
        <Tabs
          id="im-log"
          label={t('talk.window.log')}
          tabs={(['all', 'img', 'file', 'link', 'share'] as const).map((one) => ({
            tab: one,
            text: t(`im.log.${one}`),
          }))}
          chosen={kind}
          onChoose={setKind}
        />
        {kind === 'all' && (
          <label>
            {t('im.log.date')}
            <input type="date" value={day} onChange={(event) => setDay(event.target.value)} />
          </label>
        )}
      </div>
      <div className="im-log" id="im-log-panel" role="tabpanel">
        {kind === 'all' && history.hasPreviousPage && (
          <Button kind="link" onClick={() => void history.fetchPreviousPage()}>
            {t('im.older')}
          </Button>
        )}
        {isLoading ? (
          <Spinner label={t('im.loading')} />
        ) : error !== null ? (
          // A conversation that does not exist for the person, or no connection: what the server says.
          <p className="im-note">{error.message}</p>
        ) : shown.length === 0 ? (
          <p className="im-note">{t(day === '' ? 'im.log.none' : 'im.log.gone')}</p>
        ) : (
          shown.map((message) => <LogEntry key={message.number} message={message} />)
        )}
        {kind === 'all' && history.hasNextPage && (
          <Button kind="link" onClick={() => void history.fetchNextPage()}>
            {t('im.newer')}
          </Button>
        )}
        {kind !== 'all' && shares.hasNextPage && (
          <Button kind="link" onClick={() => void shares.fetchNextPage()}>
            {t('im.more')}
          </Button>
        )}
      </div>
    </div>
  )
}
