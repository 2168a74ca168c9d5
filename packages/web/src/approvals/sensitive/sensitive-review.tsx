/*
 * The reviewer's queue ([R257], mock-p1-sensitive-review): the files that wait, the text of one with its hits marked at
 * their places, the list of hits, and the decision. Numbers are masked; holding the space bar shows the current one.
 */
import type { SensitiveFile, SensitiveHit, SensitivePassage } from '@cloudoc/contract'
import { formatSize, minuteTime } from '@cloudoc/domain'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { type KeyboardEvent, type ReactNode, useDeferredValue, useEffect, useState } from 'react'
import { api, mainServer } from '../../core/call/api.ts'
import { useT } from '../../core/i18n/i18n.ts'
import { toast } from '../../core/toast/toast.ts'
import { openWindow } from '../../core/windows/index.ts'
import { notifyFailure } from '../../items/actions/operations.ts'
import { SheetPicture } from '../../items/lists/list-states.tsx'
import { Button } from '../../kit/button.tsx'
import { FilterChips, StatusChip } from '../../kit/chips.tsx'
import { SearchField } from '../../kit/filter-bar.tsx'
import { PagePager } from '../../kit/pager.tsx'
import { Spinner } from '../../kit/spinner.tsx'
import { StatePage } from '../../kit/state-page.tsx'
import { CommentsField } from '../review/comments-field.tsx'
import { refetchRequests } from '../review/review-queries.ts'
import { perPage, sensitiveList, sensitiveText } from './sensitive-queries.ts'
import { foundText, hiddenPlaceText, partText, partTone, StateTag } from './sensitive-state.tsx'
import './sensitive.css'

const filters = ['waiting', 'approved', 'disapproved', 'deleted', 'uninspected'] as const

/** The queue with the chosen file. */
export function SensitiveReview(): ReactNode {
  const t = useT()
  const [state, setState] = useState<(typeof filters)[number]>('waiting')
  const [typed, setTyped] = useState('')
  const [page, setPage] = useState(0)
  const [chosen, setChosen] = useState<number>()
  const keyword = useDeferredValue(typed.trim())
  const input = { side: 'review', state, keyword, from: page * perPage, rows: perPage } as const
  const { data, error, refetch } = useQuery({ ...sensitiveList(input), placeholderData: keepPreviousData })
  const list = data?.list ?? []
  const current = list.find(({ checkId }) => checkId === chosen) ?? list[0]
  const pages = Math.ceil((data?.total ?? 0) / perPage)
  return (
    <div className="sn-review">
      <section className="sn-queue" aria-label={t('sensitive.review')}>
        <header>
          <h1>{t('sensitive.review')}</h1>
          <Button size="small" onClick={() => void openWindow('cloudoc-auditLog', {})}>
            {t('sensitive.log')}
          </Button>
        </header>
        <SearchField label={t('sensitive.search')} value={typed} onChange={setTyped} />
        <FilterChips
          label={t('sensitive.column.state')}
          value={state}
          options={filters.map((value) => ({
            value,
            label: `${t(`sensitive.state.${value}`)} ${data?.counts[value] ?? ''}`,
          }))}
          onChange={(value) => {
            setState(value)
            setPage(0)
          }}
        />
        {error !== null ? (
          <StatePage picture={<SheetPicture sign="warning" />} title={t('sensitive.notLoaded')} text={error.message}>
            <Button onClick={() => void refetch()}>{t('sensitive.retry')}</Button>
          </StatePage>
        ) : data === undefined ? (
          <Spinner label={t('sensitive.loading')} />
        ) : (
          <ul>
            {list.map((one) => (
              <li key={one.checkId}>
                <button
                  type="button"
                  aria-current={one.checkId === current?.checkId}
                  onClick={() => setChosen(one.checkId)}
                >
                  <b>{one.fName}</b>
                  <small className="sn-muted">
                    {t('sensitive.uploaded', { name: one.uploaderName, group: one.uploaderGroup })} ·{' '}
                    {minuteTime(one.createTime)}
                  </small>
                  <span className="sn-row">
                    <StatusChip tone={one.action === 'block' ? 'danger' : 'warning'}>
                      {t(`sensitive.action.${one.action}`)}
                    </StatusChip>
                    <small>{foundText(t, one)}</small>
                  </span>
                </button>
              </li>
            ))}
          </ul>
        )}
        {pages > 1 && (
          <PagePager
            page={page}
            pages={pages}
            onPage={setPage}
            previousLabel={t('sensitive.before')}
            nextLabel={t('sensitive.after')}
          />
        )}
      </section>
      {current === undefined ? (
        data !== undefined && (
          <StatePage
            picture={<SheetPicture sign="search" />}
            title={t('sensitive.review.none')}
            text={t('sensitive.review.none.more')}
          />
        )
      ) : (
        <Reviewed key={current.checkId} file={current} />
      )}
    </div>
  )
}

/** One file: its text, its hits and the decision. */
function Reviewed({ file }: { readonly file: SensitiveFile }): ReactNode {
  const t = useT()
  const { data, error } = useQuery(sensitiveText(file.checkId))
  const [at, setAt] = useState(0)
  const [original, setOriginal] = useState('')
  const hits = data?.hits ?? []
  const step = (by: number): void => {
    if (hits.length > 0) setAt((hits.length + at + by) % hits.length)
    setOriginal('')
  }
  const show = (): void => {
    const hit = hits[at]
    if (hit === undefined || hit.kind === 'name') return
    api
      .getSensitiveOriginal({ checkId: file.checkId, hit: hit.hit })
      .then(({ text }) => setOriginal(text))
      .catch(notifyFailure)
  }
  useEffect(() => {
    document.querySelector('.sn-mark[aria-current="true"]')?.scrollIntoView({ block: 'nearest' })
  })
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.target instanceof HTMLElement && event.target.closest('input, textarea') !== null) return
    if (event.key === 'n' || event.key === 'p') step(event.key === 'n' ? 1 : -1)
    else if (event.key === ' ' && !event.repeat && !(event.target instanceof HTMLButtonElement)) {
      event.preventDefault()
      show()
    }
  }
  return (
    <>
      <section className="sn-text" aria-label={file.fName} onKeyDown={onKeyDown} onKeyUp={() => setOriginal('')}>
        <header>
          <span className="sn-row">
            <h2>{file.fName}</h2>
            <StateTag file={file} />
            {file.reviewId > 0 && file.pathString !== '' && (
              <Button size="small" onClick={() => look(file)}>
                {t('sensitive.look')}
              </Button>
            )}
          </span>
          <small className="sn-muted">
            {[
              formatSize(file.fileSize),
              t('sensitive.version', { n: file.version }),
              t('sensitive.uploaded', { name: file.uploaderName, group: file.uploaderGroup }),
              file.pathString,
            ]
              .filter((part) => part !== '')
              .join(' · ')}
          </small>
        </header>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: scrolled and searched by keys */}
        <div className="sn-passages" tabIndex={0} role="region" aria-label={t('sensitive.hits')}>
          {error !== null && <p className="sn-problem">{error.message}</p>}
          {data === undefined && error === null && <Spinner label={t('sensitive.loading')} />}
          {data?.passages.length === 0 && <p className="sn-muted">{t('sensitive.hits.none')}</p>}
          {data?.passages.map((one, n) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: passages never change their order
            <Passage key={n} passage={one} current={hits[at]?.hit} />
          ))}
          {(data?.left.length ?? 0) > 0 && (
            <section>
              <small>{t('sensitive.left')}</small>
              {data?.left.map(({ path, reason }) => (
                <p key={path}>
                  {path} — {t(`sensitive.reason.${reason}`)}
                </p>
              ))}
            </section>
          )}
        </div>
        <Decision file={file} />
      </section>
      <aside className="sn-hits" aria-label={t('sensitive.hits')}>
        <span className="sn-row">
          <h3>{t('sensitive.hits')}</h3>
          {hits.length > 0 && (
            <small className="sn-muted">{t('sensitive.hits.at', { n: at + 1, total: data?.total ?? 0 })}</small>
          )}
        </span>
        <span className="sn-row">
          <Button size="small" onClick={() => step(-1)}>
            {t('sensitive.hits.previous')}
          </Button>
          <Button size="small" onClick={() => step(1)}>
            {t('sensitive.hits.next')}
          </Button>
        </span>
        <ul>
          {hits.map((hit, n) => (
            <li key={hit.hit}>
              <button
                type="button"
                aria-current={n === at}
                title={hit.ruleName}
                onClick={() => {
                  setAt(n)
                  setOriginal('')
                }}
              >
                <i className="sn-dot" data-tone={partTone(hit.part)} />
                <span>{hit.masked || partText(t, hit)}</span>
                <small className="sn-muted">{placeText(t, hit)}</small>
              </button>
            </li>
          ))}
        </ul>
        {(data?.total ?? 0) > hits.length && (
          <small className="sn-muted">{t('sensitive.hits.more', { n: (data?.total ?? 0) - hits.length })}</small>
        )}
        {hits.length > 0 && (
          <p className="sn-hint">
            {t('sensitive.masked')}{' '}
            <Button size="small" onClick={show}>
              {t('sensitive.show')}
            </Button>
            {original !== '' && (
              <output aria-label={t('sensitive.original')}>
                <br />
                <b>{original}</b>
              </output>
            )}
          </p>
        )}
        <dl className="sn-side-facts">
          <dt className="sn-muted">{t('sensitive.rules')}</dt>
          <dd>{[...new Set(file.hits.map(({ ruleName }) => ruleName))].join('、')}</dd>
        </dl>
      </aside>
    </>
  )
}

/** Shows the reviewed version in the previewer, under the watermark of its uploader. */
const look = ({ fId, fName, fileSize, version, reviewId }: SensitiveFile): void =>
  void openWindow('previewer', {
    fileInfo: {
      ...{ ...mainServer, fId, fName, fileSize, version, reviewId },
      ...{ canPreview: true, canDownload: false, canPrint: false },
    },
    isUseVersion: true,
  })

/** Where a hit is. */
function placeText(t: ReturnType<typeof useT>, { kind, name, cell, line, path, place }: SensitiveHit): string {
  const own =
    cell !== ''
      ? `${name} ${cell}`
      : kind === 'page'
        ? t('sensitive.page', { n: name })
        : kind === 'slide'
          ? t('sensitive.slide', { n: name })
          : kind === 'name'
            ? t('sensitive.fileName')
            : line > 0
              ? t('sensitive.line', { n: line })
              : ''
  return [path, own, hiddenPlaceText(t, place)].filter((part) => part !== '').join(' ')
}

type Marks = SensitivePassage['marks']

/** A text with its hits marked. */
function Marked({ text, marks, current }: { text: string; marks: Marks; current: number | undefined }): ReactNode {
  const parts: ReactNode[] = []
  let from = 0
  for (const { hit, start, end, part } of marks.toSorted((a, b) => a.start - b.start)) {
    if (start < from) continue
    parts.push(
      text.slice(from, start),
      <mark key={hit} className="sn-mark" data-tone={partTone(part)} aria-current={hit === current}>
        {text.slice(start, end)}
      </mark>,
    )
    from = end
  }
  return [...parts, text.slice(from)]
}

function Passage({ passage, current }: { passage: SensitivePassage; current: number | undefined }): ReactNode {
  const t = useT()
  const { kind, name, path, place, line, text, marks, cells } = passage
  const head = [
    path,
    kind === 'page'
      ? t('sensitive.page', { n: name })
      : kind === 'slide'
        ? t('sensitive.slide', { n: name })
        : kind === 'sheet'
          ? t('sensitive.sheet', { name })
          : kind === 'name'
            ? t('sensitive.fileName')
            : line > 0 && path === ''
              ? t('sensitive.line', { n: line })
              : '',
    hiddenPlaceText(t, place),
  ].filter((part) => part !== '')
  const rows = [...Map.groupBy(cells, ({ row }) => row)].toSorted(([a], [b]) => a - b)
  const columns = Math.max(0, ...cells.map(({ column }) => column + 1))
  return (
    <section>
      <small>{head.join(' · ')}</small>
      {cells.length === 0 ? (
        <p>
          <Marked text={text} marks={marks} current={current} />
        </p>
      ) : (
        <div className="sn-scroll">
          <table>
            <tbody>
              {rows.map(([row, own]) => (
                <tr key={row}>
                  <th scope="row">{row + 1}</th>
                  {Array.from({ length: columns }, (_, column) => {
                    const cell = own.find((one) => one.column === column)
                    return (
                      // biome-ignore lint/suspicious/noArrayIndexKey: the index is the column
                      <td key={column}>
                        {cell !== undefined && <Marked text={cell.text} marks={cell.marks} current={current} />}
                      </td>
                    )
                  })}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </section>
  )
}

/** The decision: release, do not release with the reason, or move to the recycle bin; a release can be taken back. */
function Decision({ file }: { readonly file: SensitiveFile }): ReactNode {
  const t = useT()
  const [comments, setComments] = useState('')
  const [problem, setProblem] = useState('')
  const { checkId, fName, state } = file
  const run = (what: 'approve' | 'reject' | 'delete' | 'revoke'): void => {
    if (what === 'reject' && comments.trim() === '') {
      setProblem(t('sensitive.comments.needed'))
      return
    }
    const calls = {
      approve: api.sensitiveApprove,
      reject: api.sensitiveReject,
      delete: api.sensitiveDelete,
      revoke: api.sensitiveRevoke,
    }
    const done = {
      approve: 'sensitive.approved',
      reject: 'sensitive.rejected',
      delete: 'sensitive.deleted',
      revoke: 'sensitive.revoked',
    } as const
    calls[what]({ checkId, comments: comments.trim() })
      .then(() => toast({ kind: 'success', text: t(done[what], { name: fName }) }))
      .catch(notifyFailure)
      .finally(refetchRequests)
  }
  if (state === 'approved')
    return (
      <div className="sn-decide">
        <Button onClick={() => run('revoke')}>{t('sensitive.revoke')}</Button>
      </div>
    )
  if (state !== 'waiting' || !file.isAwaited) return null
  return (
    <div className="sn-decide">
      <CommentsField
        label={t('sensitive.comments.optional')}
        value={comments}
        rows={2}
        showsLabel
        onChange={(value) => {
          setComments(value)
          setProblem('')
        }}
      />
      {problem !== '' && (
        <p className="sn-problem" role="alert">
          {problem}
        </p>
      )}
      <Button onClick={() => run('delete')}>{t('sensitive.delete')}</Button>
      <Button kind="danger" onClick={() => run('reject')}>
        {t('sensitive.reject')}
      </Button>
      <Button kind="primary" onClick={() => run('approve')}>
        {t('sensitive.approve')}
      </Button>
    </div>
  )
}
