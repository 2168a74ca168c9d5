// The page /notify/list ([R058]): all notices, read or unread, with search.
import { type NoticeGroup, noticeGroups } from '@cloudoc/contract'
import { useInfiniteQuery } from '@tanstack/react-query'
import { type ReactNode, useDeferredValue, useEffect, useState } from 'react'
import { useSearchParams } from 'react-router'
import { useStore } from 'zustand'
import { api } from '../core/call/api.ts'
import { queryClient } from '../core/call/query.ts'
import { useT } from '../core/i18n/i18n.ts'
import { centreStore, ignore } from '../core/notices/notice-centre.ts'
import { toStoredNotice } from '../core/notices/notice-groups.ts'
import { Button } from '../kit/button.tsx'
import { Checkbox } from '../kit/fields.tsx'
import { Select } from '../kit/select.tsx'
import { Spinner } from '../kit/spinner.tsx'
import { StatePage } from '../kit/state-page.tsx'
import { NothingPicture } from './nothing-picture.tsx'
import { NoticeEntry } from './notice-entry.tsx'
import './notify.css'

const rows = 60
const queryKey = ['notices', 'list']

export function NoticeListPage(): ReactNode {
  const t = useT()
  const [query, setQuery] = useSearchParams()
  const keyword = query.get('keyword') ?? ''
  const group = noticeGroups.find((one) => one === query.get('group'))
  const unread = query.get('unread') === 'true'
  const [typed, setTyped] = useState(keyword)
  const sought = useDeferredValue(typed.trim())
  const { groups, total } = useStore(centreStore)
  const set = (name: string, value: string): void => {
    setQuery(
      (before) => {
        const after = new URLSearchParams(before)
        if (value === '') after.delete(name)
        else after.set(name, value)
        return after
      },
      { replace: true },
    )
  }
  useEffect(() => {
    const timer = setTimeout(() => sought !== keyword && set('keyword', sought), 200)
    return () => clearTimeout(timer)
  })
  const pages = useInfiniteQuery({
    queryKey: [...queryKey, keyword, group, unread],
    queryFn: ({ pageParam }) =>
      api.getNoticeList({
        keyword,
        unread,
        rows,
        ...(group === undefined ? {} : { group }),
        ...(pageParam === undefined ? {} : { before: pageParam }),
      }),
    initialPageParam: undefined as number | undefined,
    getNextPageParam: ({ list, hasMore }) => (hasMore ? list.at(-1)?.remindId : undefined),
  })
  // Notices arrived or were read, on this or another device.
  useEffect(() => void queryClient.invalidateQueries({ queryKey: [...queryKey] }), [groups])
  const list = pages.data?.pages.flatMap((page) => page.list).map(toStoredNotice) ?? []
  const isFiltered = keyword !== '' || group !== undefined || unread

  return (
    <section className="nt-page" aria-label={t('notify.history')}>
      <header className="nt-page-head">
        <h1>{t('notify.title')}</h1>
        <input
          type="search"
          className="nt-search"
          aria-label={t('notify.search')}
          placeholder={t('notify.search')}
          value={typed}
          maxLength={100}
          onChange={(event) => setTyped(event.target.value)}
        />
        <Select<NoticeGroup | ''>
          label={t('notify.filter')}
          value={group ?? ''}
          options={[
            { value: '', label: t('notify.allGroups') },
            ...noticeGroups.map((one) => ({ value: one, label: t(`notify.group.${one}`) })),
          ]}
          onChange={(chosen) => set('group', chosen)}
        />
        <Checkbox
          label={t('notify.onlyUnread')}
          checked={unread}
          onChange={(event) => set('unread', event.target.checked ? 'true' : '')}
        />
        <Button className="nt-page-all" disabled={total === 0} onClick={() => void ignore({ all: true })}>
          {t('notify.ignoreAll')}
        </Button>
      </header>
      {pages.isPending ? (
        <Spinner label={t('notify.loading')} />
      ) : pages.isError ? (
        <StatePage title={t('notify.failed')} text={pages.error.message}>
          <Button kind="primary" onClick={() => void pages.refetch()}>
            {t('notify.retry')}
          </Button>
        </StatePage>
      ) : list.length === 0 ? (
        <StatePage
          picture={<NothingPicture />}
          title={t(isFiltered ? 'notify.noneFound' : 'notify.never')}
          text={isFiltered ? undefined : t('notify.neverHint')}
        >
          {isFiltered && (
            <Button
              onClick={() => {
                setTyped('')
                setQuery({}, { replace: true })
              }}
            >
              {t('notify.showAll')}
            </Button>
          )}
        </StatePage>
      ) : (
        <div className="nt-page-list">
          <ul className="nt-list">
            {list.map((notice) => (
              <NoticeEntry key={notice.remindId} notice={notice} isNew={!notice.read} />
            ))}
          </ul>
          {pages.hasNextPage && (
            <Button disabled={pages.isFetchingNextPage} onClick={() => void pages.fetchNextPage()}>
              {t('notify.older')}
            </Button>
          )}
        </div>
      )}
    </section>
  )
}
