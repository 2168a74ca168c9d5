// The page of messaging: the list of conversations and contacts, the open conversation, and its details ([R057]).

import { type ReactNode, useEffect, useState } from 'react'
import { useSearchParams } from 'react-router'
import { useStore } from 'zustand'
import { api } from '../../core/call/api.ts'
import { useT } from '../../core/i18n/i18n.ts'
import { showMenu } from '../../core/menu/menu.ts'
import { openWindow } from '../../core/windows/index.ts'
import { IconButton } from '../../kit/button.tsx'
import { Add20Regular, Search16Regular } from '../../kit/icons.ts'
import { isCommitEnter } from '../../kit/keys.ts'
import { StatePage } from '../../kit/state-page.tsx'
import { Tabs } from '../../kit/tabs.tsx'
import { startChat, startGroup } from '../parts/start.ts'
import { chatsStore, followChats, keepChat, knowChat } from '../state/chats.ts'
import { followMessages } from '../state/conversation.ts'
import { unreadStore } from '../state/events.ts'
import { followOutbox } from '../state/outbox.ts'
import { ChatList } from './chat-list.tsx'
import { Contacts } from './contacts.tsx'
import { Conversation } from './conversation.tsx'
import { InfoPane } from './info-pane.tsx'
import '../parts/talk.css'

const positive = (text: string | null): number | undefined => {
  const number = Number(text)
  return Number.isSafeInteger(number) && number > 0 ? number : undefined
}

/** The page of messaging. Its address names the open conversation, so a reload keeps the place. */
export function TalkPage(): ReactNode {
  const t = useT()
  const [query, setQuery] = useSearchParams()
  const current = positive(query.get('chat'))
  const at = positive(query.get('at'))
  const person = positive(query.get('user'))
  const [tab, setTab] = useState<'chats' | 'contacts'>('chats')
  const [keyword, setKeyword] = useState('')
  const [hasInfo, setInfo] = useState(() => globalThis.innerWidth >= 1280)
  const [missing, setMissing] = useState<number>()
  const chat = useStore(chatsStore, ({ byId }) => (current === undefined ? undefined : byId.get(current)))
  const { unread } = useStore(unreadStore)

  useEffect(() => {
    const stops = [followChats(), followMessages(), followOutbox()]
    return () => {
      for (const stop of stops) stop()
    }
  }, [])

  const open = (conversationId: number): void => {
    setTab('chats')
    setQuery({ chat: String(conversationId) })
  }
  // Opened from elsewhere: a person, or a conversation that is not on the list.
  useEffect(() => {
    if (person === undefined) return
    void startChat(person).then(
      (id) => setQuery({ chat: String(id) }, { replace: true }),
      (error: unknown) => {
        setQuery({}, { replace: true })
        throw error
      },
    )
  }, [person, setQuery])
  useEffect(() => {
    if (current === undefined || chat !== undefined) return undefined
    const stop = keepChat(current)
    api.imGetChat({ conversationId: current }, { quiet: true }).then(knowChat, () => setMissing(current))
    return stop
  }, [current, chat])

  const openPerson = (userId: number): void => void startChat(userId).then(open)
  const create = (x: number, y: number): void =>
    void showMenu(
      [
        {
          id: 'group',
          label: t('im.newGroup'),
          run: () => void startGroup().then((id) => id !== undefined && open(id)),
        },
        {
          id: 'chat',
          label: t('im.newChat'),
          run: () =>
            void openWindow('im-share-pick', { broadcastType: 'chat' }).then((picked) => {
              const [target] = picked ?? []
              if (target?.push === 'USER') openPerson(target.id)
              else if (target !== undefined) open(target.id)
            }),
        },
        {
          id: 'contacts',
          label: t('im.newContactGroup'),
          run: () => void openWindow('cloudoc-concat-group-create', {}).then(() => setTab('contacts')),
        },
      ],
      { x, y },
    )

  const isOpen = chat !== undefined
  return (
    <div className={isOpen ? 'im-page is-open' : 'im-page'}>
      <nav className="im-side" aria-label={t('talk.rail')}>
        <div className="im-find">
          <label>
            <Search16Regular />
            <input
              type="search"
              aria-label={t('im.search')}
              placeholder={t('im.search')}
              value={keyword}
              onChange={(event) => setKeyword(event.target.value)}
              onKeyDown={(event) => {
                if (isCommitEnter(event) && keyword.trim() !== '')
                  void openWindow('im-search', { keyword: keyword.trim() })
              }}
            />
          </label>
          <IconButton
            label={t('im.new')}
            icon={<Add20Regular />}
            onClick={(event) => create(event.clientX, event.clientY)}
          />
        </div>
        <div className="im-tabs">
          <Tabs
            id="im-tab"
            label={t('talk.rail')}
            tabs={[
              { tab: 'chats', text: t('im.chats') },
              { tab: 'contacts', text: t('im.contacts') },
            ]}
            chosen={tab}
            onChoose={setTab}
          />
          {unread > 0 && <small>{t('im.unreadSum', { n: unread })}</small>}
        </div>
        <div className="im-side-body" id="im-tab-panel" role="tabpanel" aria-labelledby={`im-tab-${tab}`}>
          {tab === 'chats' ? (
            <ChatList keyword={keyword} current={current} onOpen={open} />
          ) : (
            <Contacts keyword={keyword} onPerson={openPerson} onGroup={open} />
          )}
        </div>
      </nav>
      {chat !== undefined ? (
        <>
          <Conversation
            key={`${chat.conversationId} ${at ?? ''}`}
            chat={chat}
            at={at}
            hasInfo={hasInfo}
            onInfo={() => setInfo(!hasInfo)}
            onBack={() => setQuery({})}
          />
          {hasInfo && <InfoPane key={chat.conversationId} chat={chat} onPerson={openPerson} />}
        </>
      ) : (
        <div className="im-nothing">
          {missing !== undefined && missing === current ? (
            <StatePage title={t('im.groupRemoved')} />
          ) : (
            <StatePage title={t('im.choose.title')} text={t('im.choose.text')} />
          )}
        </div>
      )}
    </div>
  )
}
