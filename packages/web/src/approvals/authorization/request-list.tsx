// /doc/folder/share/auth-review and auth-creation ([R051], [R219]): what the person decides about, and what they asked for.
import type { Authorization } from '@cloudoc/contract'
import { extNameOf, minuteTime, shortTime } from '@cloudoc/domain'
import { useQuery } from '@tanstack/react-query'
import { type MouseEvent, type ReactNode, useEffect, useState } from 'react'
import { useSearchParams } from 'react-router'
import { useLocale, useT } from '../../core/i18n/i18n.ts'
import { isolated } from '../../core/i18n/isolate.ts'
import { showMenu } from '../../core/menu/menu.ts'
import { openWindow } from '../../core/windows/index.ts'
import { FileIcon, FolderIcon } from '../../drive/index.ts'
import { Button } from '../../kit/button.tsx'
import { Spinner } from '../../kit/spinner.tsx'
import { StatePage } from '../../kit/state-page.tsx'
import { Sides } from '../review/sides.tsx'
import { waited } from '../review/timeline.tsx'
import { listOf, perPage, type Shown, type Side, standInQuery } from './data.ts'
import { requestMenu } from './request-menu.tsx'
import { rightsWords } from './rights-words.ts'
import './authorization.css'

const states: readonly Shown[] = ['open', 'handled', 'all']

export const ReviewList = (): ReactNode => <RequestList key="review" side="review" />
export const CreationList = (): ReactNode => <RequestList key="creation" side="creation" />

function RequestList({ side }: { readonly side: Side }): ReactNode {
  const t = useT()
  const [state, setState] = useState<Shown>(side === 'review' ? 'open' : 'all')
  const [page, setPage] = useState(0)
  const { data, error, refetch } = useQuery(listOf(side, state, page))
  const standIn = useQuery({ ...standInQuery, enabled: side === 'review' })
  const [query, setQuery] = useSearchParams()
  const asked = Number(query.get('authorizationId') ?? 0)
  // A notice leads here with its request.
  useEffect(() => {
    if (asked <= 0) return
    setQuery({}, { replace: true })
    void openWindow('cloudoc-authorization-review', { authorizationId: asked })
  }, [asked, setQuery])
  const pages = Math.ceil((data?.total ?? 0) / perPage)
  return (
    <section className="ap-page" aria-label={t('approvals.title')}>
      <header>
        <h1>{t('approvals.title')}</h1>
        <Sides />
        <div className="ap-segments" role="group" aria-label={t('approvals.state')}>
          {states.map((one) => (
            <button
              key={one}
              type="button"
              aria-pressed={state === one}
              onClick={() => {
                setState(one)
                setPage(0)
              }}
            >
              {t(`approvals.state.${one}`)}
            </button>
          ))}
        </div>
        {side === 'review' && (
          <Button className="ap-away" onClick={() => void openWindow('approvals-stand-in', {})}>
            {standIn.data?.standIn
              ? t('approvals.standIn.is', { name: isolated(standIn.data.standIn.accountName) })
              : t('approvals.standIn.open')}
          </Button>
        )}
      </header>
      {error !== null ? (
        <StatePage title={t('approvals.notLoaded')} text={error.message}>
          <Button onClick={() => void refetch()}>{t('drive.retry')}</Button>
        </StatePage>
      ) : data === undefined ? (
        <Spinner label={t('approvals.loading')} />
      ) : data.list.length === 0 ? (
        <StatePage title={t(`approvals.nothing.${side}`)} text={t(`approvals.nothing.${side}.more`)} />
      ) : (
        <ul className="ap-list">
          {data.list.map((one) => (
            <Row key={one.authorizationId} request={one} side={side} />
          ))}
        </ul>
      )}
      {pages > 1 && (
        <footer>
          <Button size="small" disabled={page === 0} onClick={() => setPage(page - 1)}>
            {t('approvals.before')}
          </Button>
          <span>
            {page + 1} / {pages}
          </span>
          <Button size="small" disabled={page + 1 >= pages} onClick={() => setPage(page + 1)}>
            {t('approvals.after')}
          </Button>
        </footer>
      )}
    </section>
  )
}

function Row({ request, side }: { readonly request: Authorization; readonly side: Side }): ReactNode {
  const t = useT()
  const locale = useLocale()
  const [now] = useState(Date.now)
  const { authorizationId, fType, fName, userName, right, createTime, state, waitsFor, isAwaited, handleBefore } =
    request
  const who = waitsFor.map(({ accountName }) => isolated(accountName)).join(t('approvals.or'))
  const open = (): void => void openWindow('cloudoc-authorization-review', { authorizationId, name: fName })
  const onContextMenu = (event: MouseEvent): void => {
    event.preventDefault()
    void showMenu(requestMenu(request, side, open), { x: event.clientX, y: event.clientY })
  }
  return (
    <li>
      <button type="button" onClick={open} onContextMenu={onContextMenu}>
        {fType === 2 ? <FolderIcon size={40} /> : <FileIcon ext={extNameOf(fName)} size={40} />}
        <span className="ap-row-name">
          <b title={fName}>{fName}</b>
          <small>
            {side === 'review' ? t('approvals.row.asks', { name: isolated(userName) }) : t('approvals.row.mine')} ·{' '}
            {rightsWords(t, right)}
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
              ? `${isAwaited ? '' : `${who} · `}${t('approvals.way.since', { time: waited(t, createTime, now) })}`
              : (request.handledBy?.accountName ?? '')}
          </small>
        </span>
        <time>{shortTime(createTime, now, locale)}</time>
      </button>
    </li>
  )
}
