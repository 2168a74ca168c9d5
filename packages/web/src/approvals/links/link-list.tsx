// Requests for links ([R231]): those that the person decides about, and their own.
import type { LinkApplication } from '@cloudoc/contract'
import { extNameOf, shortTime } from '@cloudoc/domain'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect, useState } from 'react'
import { useSearchParams } from 'react-router'
import { useLocale, useT } from '../../core/i18n/i18n.ts'
import { isolated } from '../../core/i18n/isolate.ts'
import { openWindow } from '../../core/windows/index.ts'
import { FileIcon, FolderIcon } from '../../drive/index.ts'
import { Button } from '../../kit/button.tsx'
import { Spinner } from '../../kit/spinner.tsx'
import { StatePage } from '../../kit/state-page.tsx'
import { Sides } from '../review/sides.tsx'
import { waited } from '../review/timeline.tsx'
import { givesWords, listOf, perPage, type Shown, type Side } from './data.ts'
import '../authorization/authorization.css'

const states: readonly Shown[] = ['open', 'handled', 'all']

export const LinkReviews = (): ReactNode => <LinkList key="review" side="review" />
export const LinkApplications = (): ReactNode => <LinkList key="application" side="application" />

function LinkList({ side }: { readonly side: Side }): ReactNode {
  const t = useT()
  const [state, setState] = useState<Shown>(side === 'review' ? 'open' : 'all')
  const [page, setPage] = useState(0)
  const { data, error, refetch } = useQuery(listOf(side, state, page))
  const [query, setQuery] = useSearchParams()
  const asked = Number(query.get('reviewId') ?? 0)
  // A notice leads here with its request.
  useEffect(() => {
    if (asked <= 0) return
    setQuery({}, { replace: true })
    void openWindow('cloudoc-apply-link-detail', { reviewId: asked })
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
      </header>
      {error !== null ? (
        <StatePage title={t('approvals.notLoaded')} text={error.message}>
          <Button onClick={() => void refetch()}>{t('drive.retry')}</Button>
        </StatePage>
      ) : data === undefined ? (
        <Spinner label={t('approvals.loading')} />
      ) : data.list.length === 0 ? (
        <StatePage
          title={t(side === 'review' ? 'approvals.nothing.review' : 'approvals.nothing.creation')}
          text={t(`approvals.link.nothing.${side}`)}
        />
      ) : (
        <ul className="ap-list">
          {data.list.map((one) => (
            <Row key={one.reviewId} request={one} side={side} />
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

function Row({ request, side }: { readonly request: LinkApplication; readonly side: Side }): ReactNode {
  const t = useT()
  const locale = useLocale()
  const [now] = useState(Date.now)
  const { reviewId, fType, fName, userName, rights, createTime, state, waitsFor, isAwaited } = request
  const who = waitsFor.map(({ accountName }) => isolated(accountName)).join(t('approvals.or'))
  return (
    <li>
      <button type="button" onClick={() => void openWindow('cloudoc-apply-link-detail', { reviewId, name: fName })}>
        {fType === 2 ? <FolderIcon size={40} /> : <FileIcon ext={extNameOf(fName)} size={40} />}
        <span className="ap-row-name">
          <b title={fName}>{fName}</b>
          <small>
            {side === 'review' ? t('approvals.row.asks', { name: isolated(userName) }) : t('approvals.row.mine')}{' '}
            {t('approvals.link.gives', { may: givesWords(t, rights) })}
          </small>
        </span>
        <span className="ap-row-state">
          <em data-state={state}>
            {t(isAwaited && state === 'pending' ? 'approvals.way.you' : `approvals.is.${state}`)}
          </em>
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
