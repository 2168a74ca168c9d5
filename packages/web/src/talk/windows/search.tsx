// Searches messages, people, groups and files of conversations ([R301]).
import type { Answer, calls } from '@cloudoc/contract'
import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { type ReactNode, useDeferredValue, useState } from 'react'
import { api } from '../../core/call/api.ts'
import { useLocale, useT } from '../../core/i18n/i18n.ts'
import { openAddress } from '../../core/page/open-address.ts'
import { openWindow, type WindowProps } from '../../core/windows/index.ts'
import { Button } from '../../kit/button.tsx'
import { Checkbox } from '../../kit/fields.tsx'
import { Search16Regular } from '../../kit/icons.ts'
import { Tabs } from '../../kit/tabs.tsx'
import { InitialsAvatar, PersonAvatar, type Subject, SubjectField } from '../../people/index.ts'
import { ChatAvatar } from '../parts/chat-avatar.tsx'
import { timeUntilNow } from '../parts/now.ts'
import { chatName, lineOf } from '../parts/words.ts'
import './windows.css'

export interface SearchProps {
  readonly keyword?: string
  readonly conversationId?: number
}

type Tab = 'messages' | 'contacts' | 'groups' | 'files'
const dayMs = 24 * 60 * 60_000
const dayOf = (date: string): number => new Date(`${date}T00:00:00`).getTime()

interface MessageHitProps {
  readonly hit: Answer<typeof calls.imSearch>['list'][number]
  readonly leave: (address: string) => void
}

/** A found message. Ctrl+Enter shows what was written around it. */
function MessageHit({ hit: { message, chat }, leave }: MessageHitProps): ReactNode {
  const t = useT()
  const locale = useLocale()
  return (
    <li>
      <PersonAvatar id={message.from} name={message.fromName} />
      <button
        type="button"
        onClick={() => leave(`/im/index?chat=${message.conversationId}&at=${message.number}`)}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || !event.ctrlKey) return
          event.preventDefault()
          void openWindow('im-chat-log-context', {
            conversationId: message.conversationId,
            number: message.number,
            name: chat,
          })
        }}
      >
        <span>
          <b>{message.fromName}</b>
          <small>{chat}</small>
          <time>{timeUntilNow(message.timestamp, locale)}</time>
        </span>
        <bdi className="im-hit-text">{lineOf(t, message)}</bdi>
      </button>
    </li>
  )
}

/** The search of messaging. */
export function SearchWindow({ keyword = '', conversationId, close }: WindowProps<SearchProps>): ReactNode {
  const t = useT()
  const [typed, setTyped] = useState(keyword)
  const [tab, setTab] = useState<Tab>('messages')
  const [from, setFrom] = useState('')
  const [to, setTo] = useState('')
  const [senders, setSenders] = useState<readonly Subject[]>([])
  const [isHere, setHere] = useState(conversationId !== undefined)
  const word = useDeferredValue(typed.trim())
  const sender = senders[0]?.id
  const asksMessages = word !== '' || sender !== undefined
  const found = useInfiniteQuery({
    queryKey: ['im-search', tab, word, from, to, sender, isHere, conversationId],
    enabled: asksMessages && (tab === 'messages' || tab === 'files'),
    initialPageParam: 0,
    placeholderData: keepPreviousData,
    queryFn: ({ pageParam }) =>
      api.imSearch({
        keyword: word,
        ...(tab === 'files' && { kind: 'file' as const }),
        ...(isHere && conversationId !== undefined && { conversationId }),
        ...(from !== '' && { from: dayOf(from) }),
        ...(to !== '' && { to: dayOf(to) + dayMs }),
        ...(sender !== undefined && { userId: sender }),
        ...(pageParam !== 0 && { before: pageParam }),
      }),
    getNextPageParam: (page) => (page.more ? page.list.at(-1)?.message.id : undefined),
  })
  const people = useQuery({
    queryKey: ['im-search-people', word],
    enabled: word !== '' && tab === 'contacts',
    queryFn: () => api.searchItem2({ searchType: 'user', keyword: word, rows: 50 }),
  })
  const groups = useQuery({
    queryKey: ['im-search-groups', word],
    enabled: word !== '' && tab === 'groups',
    queryFn: () => api.imChatList({ keyword: word, rows: 200 }),
  })
  const hits = found.data?.pages.flatMap(({ list }) => list) ?? []
  const leave = (address: string): void => {
    close()
    openAddress(address)
  }
  const showsMessages = tab === 'messages' || tab === 'files'
  const isAsked = showsMessages ? asksMessages : word !== ''
  const isEmpty =
    isAsked &&
    ((tab === 'contacts' && people.data?.list.length === 0) ||
      (tab === 'groups' && groups.data?.list.filter(({ push }) => push === 'GROUP').length === 0) ||
      (showsMessages && found.data !== undefined && hits.length === 0))
  return (
    <div className="im-search">
      <label className="im-pick-find">
        <Search16Regular />
        <input
          type="search"
          autoFocus
          aria-label={t('im.searchWords')}
          placeholder={t('im.searchWords')}
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
        />
      </label>
      <Tabs
        id="im-search"
        label={t('talk.window.search')}
        tabs={(['messages', 'contacts', 'groups', 'files'] as const).map((one) => ({
          tab: one,
          text: t(`im.tab.${one}`),
        }))}
        chosen={tab}
        onChoose={setTab}
      />
      {showsMessages && (
        <div className="im-filters">
          <div className="im-filter-person">
            <span aria-hidden="true">{t('im.filter.person')}</span>
            <SubjectField
              label={t('im.filter.person')}
              types="user"
              chosen={senders}
              onChange={(chosen) => setSenders(chosen.slice(-1))}
            />
          </div>
          <label>
            {t('im.filter.from')}
            <input type="date" value={from} onChange={(event) => setFrom(event.target.value)} />
          </label>
          <label>
            {t('im.filter.to')}
            <input type="date" value={to} onChange={(event) => setTo(event.target.value)} />
          </label>
          {conversationId !== undefined && (
            <Checkbox
              label={t('im.filter.here')}
              checked={isHere}
              onChange={(event) => setHere(event.target.checked)}
            />
          )}
        </div>
      )}
      <div className="im-hits" id="im-search-panel" role="tabpanel">
        <ul className="im-people">
          {!isAsked && <li className="im-note">{t('im.searchStart')}</li>}
          {isEmpty && <li className="im-note">{word === '' ? t('im.searchNoneOf') : t('im.searchNone', { word })}</li>}
          {showsMessages &&
            asksMessages &&
            hits.map((hit) => <MessageHit key={hit.message.id} hit={hit} leave={leave} />)}
          {tab === 'contacts' &&
            people.data?.list.map(({ id, name, groupName, title }) => (
              <li key={id}>
                <InitialsAvatar id={id} name={name} />
                <button type="button" onClick={() => leave(`/im/index?user=${id}`)}>
                  <b>{name}</b> <small>{[groupName, title].filter(Boolean).join(' · ')}</small>
                </button>
              </li>
            ))}
          {tab === 'groups' &&
            groups.data?.list
              .filter(({ push }) => push === 'GROUP')
              .map((chat) => (
                <li key={chat.conversationId}>
                  <ChatAvatar chat={chat} />
                  <button type="button" onClick={() => leave(`/im/index?chat=${chat.conversationId}`)}>
                    <b>{chatName(t, chat)}</b> <small>{t('im.members', { n: chat.members })}</small>
                  </button>
                </li>
              ))}
          {found.hasNextPage && showsMessages && (
            <li>
              <Button kind="link" onClick={() => void found.fetchNextPage()}>
                {t('im.more')}
              </Button>
            </li>
          )}
        </ul>
      </div>
    </div>
  )
}
