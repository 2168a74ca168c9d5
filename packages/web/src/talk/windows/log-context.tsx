// The history around one message ([R301]).
import { useInfiniteQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect, useRef } from 'react'
import { api } from '../../core/call/api.ts'
import { useT } from '../../core/i18n/i18n.ts'
import type { WindowProps } from '../../core/windows/index.ts'
import { Button } from '../../kit/button.tsx'
import { Spinner } from '../../kit/spinner.tsx'
import { LogEntry } from '../parts/log-entry.tsx'
import '../parts/talk.css'
import './windows.css'

export interface LogContextProps {
  readonly conversationId: number
  readonly number: number
  readonly name?: string
}

type Place = { readonly before?: number; readonly after?: number; readonly around?: number }
/** Twenty messages on each side. */
const rows = 40

/** Shows a message with those before and after it. */
export function LogContextWindow({ conversationId, number }: WindowProps<LogContextProps>): ReactNode {
  const t = useT()
  const box = useRef<HTMLDivElement>(null)
  const start: Place = { around: number }
  const { data, hasNextPage, hasPreviousPage, fetchNextPage, fetchPreviousPage, error } = useInfiniteQuery({
    queryKey: ['im-context', conversationId, number],
    initialPageParam: start,
    staleTime: 0,
    queryFn: ({ pageParam }) => api.imHistory({ conversationId, rows, ...pageParam }),
    getNextPageParam: ({ list, newer }): Place | undefined =>
      newer && list.length > 0 ? { after: list.at(-1)?.number ?? 0 } : undefined,
    getPreviousPageParam: ({ list, older }): Place | undefined =>
      older && list.length > 0 ? { before: list[0]?.number ?? 0 } : undefined,
  })
  const isReady = data !== undefined
  useEffect(() => {
    if (isReady) box.current?.querySelector('.is-marked')?.scrollIntoView({ block: 'center' })
  }, [isReady])
  if (error !== null) return <p className="im-note">{error.message}</p>
  if (data === undefined) return <Spinner label={t('im.loading')} />
  return (
    <div className="im-log" ref={box}>
      {hasPreviousPage && (
        <Button kind="link" onClick={() => void fetchPreviousPage()}>
          {t('im.older')}
        </Button>
      )}
      {data.pages
        .flatMap(({ list }) => list)
        .map((message) => (
          <LogEntry key={message.number} message={message} isMarked={message.number === number} />
        ))}
      {hasNextPage && (
        <Button kind="link" onClick={() => void fetchNextPage()}>
          {t('im.newer')}
        </Button>
      )}
    </div>
  )
}
