// /doc/folder/email ([R056]): the list of mails by day, and the mail that is read beside it.
import type { ListedMail } from '@cloudoc/contract'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from 'react'
import { useSearchParams } from 'react-router'
import { api } from '../core/call/api.ts'
import { useLocale, useT } from '../core/i18n/i18n.ts'
import { showMenu } from '../core/menu/menu.ts'
import { openWindow } from '../core/windows/index.ts'
import { SheetPicture } from '../items/lists/list-states.tsx'
import { Button, IconButton } from '../kit/button.tsx'
import { ArrowClockwise20Regular, Attach16Regular, Filter20Regular, Star16Filled } from '../kit/icons.ts'
import { Spinner } from '../kit/spinner.tsx'
import { StatePage } from '../kit/state-page.tsx'
import { boxesQuery, type ListFilter, listQuery, tryMail } from './mail-queries.ts'
import { OutgoingList } from './outgoing-list.tsx'
import { OutlookButton } from './outlook.tsx'
import { PickedBar } from './picked-bar.tsx'
import { ReadingPane } from './reading-pane.tsx'
import './mail.css'

const dayMs = 86_400_000

/** The midnight before a time, in the person's own time zone. */
const dayStart = (time: number): number => new Date(time).setHours(0, 0, 0, 0)
const periods = { today: 0, week: 6, month: 29, year: 364 } as const
type Period = keyof typeof periods

/** The first moment of a period. */
const beginOf = (period: Period): number => dayStart(Date.now()) - periods[period] * dayMs

/** What the address of the page asks for. */
function filterOf(query: URLSearchParams, more: Omit<ListFilter, 'role' | 'boxId' | 'mailFolderId'>): ListFilter {
  const [box, folder] = [query.get('box'), query.get('folder')]
  const show = query.get('show') ?? (folder === null ? 'inbox' : undefined)
  return {
    ...more,
    ...(box === null ? {} : { boxId: Number(box) }),
    ...(folder === null ? {} : { mailFolderId: Number(folder) }),
    ...(show === undefined || more.keyword ? {} : show === 'starred' ? { starred: true } : { role: show as 'inbox' }),
  }
}

export function MailPage(): ReactNode {
  const t = useT()
  const [query] = useSearchParams()
  const boxes = useQuery(boxesQuery)
  const show = query.get('show') ?? ''
  if (boxes.data === undefined) return <Spinner />
  const { list } = boxes.data
  if (list.length === 0)
    return (
      <StatePage
        picture={<SheetPicture sign="search" />}
        title={t('email.first.title')}
        heading="h1"
        text={t('email.first.text')}
      >
        <Button kind="primary" onClick={() => void openWindow('email-boxes', {})}>
          {t('email.first.add')}
        </Button>
        <OutlookButton />
      </StatePage>
    )
  const stopped = list.filter(({ state }) => state === 'signIn')
  return (
    <div className="em-page">
      {stopped.map(({ boxId, account, problem }) => (
        <p className="em-strip" role="status" key={boxId}>
          {t('email.paused', { account, problem })}
          <Button kind="link" onClick={() => void openWindow('email-boxes', { boxId })}>
            {t('email.mend')}
          </Button>
        </p>
      ))}
      {show === 'drafts' || show === 'waiting' ? (
        <OutgoingList what={show} />
      ) : (
        <MailList key={query.get('folder') ?? show} />
      )}
    </div>
  )
}

function MailList(): ReactNode {
  const t = useT()
  const [query, setQuery] = useSearchParams()
  const [typed, setTyped] = useState('')
  const [keyword, setKeyword] = useState('')
  const [only, setOnly] = useState<{ unread?: boolean; attached?: boolean; period?: Period }>({})
  useEffect(() => {
    const timer = setTimeout(() => setKeyword(typed.trim()), 250)
    return () => clearTimeout(timer)
  }, [typed])
  const begin = only.period === undefined ? undefined : beginOf(only.period)
  const filter = filterOf(query, {
    ...(keyword === '' ? {} : { keyword }),
    ...(only.unread ? { unread: true } : {}),
    ...(only.attached ? { attached: true } : {}),
    ...(begin === undefined ? {} : { beginTime: begin }),
  })
  const pages = useInfiniteQuery(listQuery(filter))
  const mails = pages.data?.pages.flatMap(({ list }) => list) ?? []
  const asked = Number(query.get('mailId') ?? 0)
  const [picked, setPicked] = useState<ReadonlySet<number>>(new Set())
  const chosen = mails.filter(({ mailId }) => picked.has(mailId))
  const open = (mailId: number): void =>
    setQuery(
      (before) => {
        const next = new URLSearchParams(before)
        if (mailId === 0) next.delete('mailId')
        else next.set('mailId', String(mailId))
        return next
      },
      { replace: asked !== 0 },
    )
  const boxes = useQuery(boxesQuery).data?.list ?? []
  const isFetching = boxes.some((box) => box.isFetching)
  const fetchAll = (): void => {
    for (const { boxId } of boxes) void tryMail(() => api.fetchMail({ boxId }))
  }
  const choose = (at: HTMLElement): void =>
    void showMenu(
      [
        ...(['unread', 'attached'] as const).map((one) => ({
          id: one,
          label: t(`email.filter.${one}`),
          checked: only[one] === true,
          run: () => setOnly({ ...only, [one]: !only[one] }),
        })),
        { separator: true },
        ...([undefined, 'today', 'week', 'month', 'year'] as const).map((period) => ({
          id: period ?? 'all',
          label: t(`email.period.${period ?? 'all'}`),
          checked: only.period === period,
          run: () =>
            setOnly({
              ...(only.unread && { unread: true }),
              ...(only.attached && { attached: true }),
              ...(period && { period }),
            }),
        })),
      ],
      { x: at.getBoundingClientRect().left, y: at.getBoundingClientRect().bottom },
    )
  const title =
    query.get('folder') === null ? t(`email.role.${(query.get('show') ?? 'inbox') as 'inbox'}`) : t('email.own')
  const isFiltered = keyword !== '' || Object.values(only).some(Boolean)
  return (
    <div className="em-panes" data-reading={asked !== 0}>
      <section className="em-list" aria-label={title}>
        <header>
          <h1>{title}</h1>
          <IconButton
            label={t(isFetching ? 'email.fetching' : 'email.fetch')}
            icon={<ArrowClockwise20Regular {...(isFetching && { className: 'em-turning' })} />}
            disabled={isFetching}
            onClick={fetchAll}
          />
          <IconButton
            label={t('email.filter')}
            icon={<Filter20Regular />}
            pressed={isFiltered}
            onClick={({ currentTarget }) => choose(currentTarget)}
          />
        </header>
        <input
          type="search"
          className="em-search"
          placeholder={t('email.search')}
          aria-label={t('email.search')}
          value={typed}
          onChange={({ target }) => setTyped(target.value)}
        />
        {chosen.length > 0 && (
          <PickedBar mails={chosen} isInTrash={filter.role === 'trash'} clear={() => setPicked(new Set())} />
        )}
        {pages.data === undefined ? (
          <Spinner />
        ) : mails.length === 0 ? (
          <p className="em-nothing">{t(isFiltered ? 'email.nothing.found' : 'email.nothing')}</p>
        ) : (
          <Rows {...{ mails, picked, open }} current={asked} isSent={filter.role === 'sent'} pick={setPicked} />
        )}
        {pages.hasNextPage && (
          <Button onClick={() => void pages.fetchNextPage()} disabled={pages.isFetchingNextPage}>
            {t('email.more')}
          </Button>
        )}
      </section>
      <ReadingPane mailId={asked} mails={mails} open={open} />
    </div>
  )
}

type Day = 'today' | 'yesterday' | 'week' | 'month' | 'before'

function dayOf(time: number): Day {
  const today = dayStart(Date.now())
  if (time >= today) return 'today'
  if (time >= today - dayMs) return 'yesterday'
  if (time >= today - 6 * dayMs) return 'week'
  return time >= today - 30 * dayMs ? 'month' : 'before'
}

interface RowsProps {
  readonly mails: readonly ListedMail[]
  readonly current: number
  readonly open: (mailId: number) => void
  readonly isSent: boolean
  readonly picked: ReadonlySet<number>
  readonly pick: (picked: ReadonlySet<number>) => void
}

function Rows({ mails, current, open, isSent, picked, pick }: RowsProps): ReactNode {
  const t = useT()
  const locale = useLocale()
  const list = useRef<HTMLDivElement>(null)
  /** Picks a mail or lets it go; with Shift also those between it and the one before. */
  const last = useRef(0)
  const toggle = (mailId: number, isRange: boolean): void => {
    const next = new Set(picked)
    const at = mails.findIndex((mail) => mail.mailId === mailId)
    const from = mails.findIndex((mail) => mail.mailId === last.current)
    last.current = mailId
    if (isRange && from >= 0)
      for (const mail of mails.slice(Math.min(at, from), Math.max(at, from) + 1)) next.add(mail.mailId)
    else if (!next.delete(mailId)) next.add(mailId)
    pick(next)
  }
  const groups = Map.groupBy(mails, ({ mailTime }) => dayOf(mailTime))
  const timeOf = (time: number, day: Day): string =>
    new Intl.DateTimeFormat(
      locale,
      day === 'today' || day === 'yesterday'
        ? { hour: '2-digit', minute: '2-digit', hour12: false }
        : { month: 'numeric', day: 'numeric', ...(day === 'before' && { year: 'numeric' }) },
    ).format(time)
  const onKeyDown = (event: KeyboardEvent): void => {
    const step =
      event.key === 'ArrowDown' || event.key === 'j' ? 1 : event.key === 'ArrowUp' || event.key === 'k' ? -1 : 0
    if (step === 0) return
    event.preventDefault()
    const at = mails.findIndex(({ mailId }) => mailId === current)
    const next = mails[Math.max(0, Math.min(mails.length - 1, at + step))]
    if (next === undefined) return
    open(next.mailId)
    list.current?.querySelector<HTMLElement>(`[data-mail="${next.mailId}"]`)?.focus()
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the keys move between the buttons inside
    <div className="em-rows" ref={list} onKeyDown={onKeyDown}>
      {[...groups].map(([day, some]) => (
        <section key={day}>
          <h2>
            {t(`email.day.${day}`)} <small>{t('email.count', { n: some.length })}</small>
          </h2>
          <ul>
            {some.map((mail) => (
              <li key={mail.mailId} data-picked={picked.has(mail.mailId)}>
                <input
                  type="checkbox"
                  className="em-pick"
                  aria-label={t('email.pick.one', { title: mail.mailTitle || t('email.noSubject') })}
                  checked={picked.has(mail.mailId)}
                  onChange={({ nativeEvent }) =>
                    toggle(mail.mailId, nativeEvent instanceof MouseEvent && nativeEvent.shiftKey)
                  }
                />
                <button
                  type="button"
                  className="em-row"
                  data-mail={mail.mailId}
                  data-unread={!mail.isRead}
                  aria-current={mail.mailId === current}
                  onClick={(event) =>
                    event.ctrlKey || event.metaKey || event.shiftKey
                      ? toggle(mail.mailId, event.shiftKey)
                      : open(mail.mailId)
                  }
                  onDoubleClick={() =>
                    void openWindow('cloudoc-email-detail', { mailId: mail.mailId, subject: mail.mailTitle })
                  }
                >
                  <span className="em-who" title={isSent ? undefined : mail.senderAddress}>
                    {isSent ? t('email.writtenTo', { names: mail.receivers }) : mail.senderName || mail.senderAddress}
                  </span>
                  {mail.isStarred && <Star16Filled className="em-star" aria-label={t('email.role.starred')} />}
                  {mail.attachmentCount > 0 && <Attach16Regular aria-label={t('email.filter.attached')} />}
                  <time>{timeOf(mail.mailTime, day)}</time>
                  <span className="em-title">{mail.mailTitle || t('email.noSubject')}</span>
                  <span className="em-summary">{mail.summary}</span>
                </button>
              </li>
            ))}
          </ul>
        </section>
      ))}
    </div>
  )
}
