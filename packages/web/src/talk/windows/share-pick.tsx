// Picks receivers: recent conversations, colleagues, groups; one's own account is left out ([R081]).

import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useDeferredValue, useState } from 'react'
import { api } from '../../core/call/api.ts'
import { useT } from '../../core/i18n/i18n.ts'
import { useSession } from '../../core/session/session.ts'
import type { WindowProps } from '../../core/windows/index.ts'
import { Button, IconButton } from '../../kit/button.tsx'
import { DialogFooter } from '../../kit/dialog.tsx'
import { Dismiss12Regular, Search16Regular } from '../../kit/icons.ts'
import { Tabs } from '../../kit/tabs.tsx'
import { InitialsAvatar } from '../../people/index.ts'
import { ChatAvatar } from '../parts/chat-avatar.tsx'
import type { Target } from '../parts/targets.ts'
import { chatName } from '../parts/words.ts'
import './windows.css'

export interface SharePickProps {
  /** What the receivers are picked for: `share`, `forward`, or `chat` for one of them. */
  readonly broadcastType: string
  /** Offered in place of those of the server. */
  readonly recentContacts?: Target[]
  readonly friends?: Target[]
  readonly groups?: Target[]
}

type Tab = 'recent' | 'people' | 'groups'
const most = 20
const keyOf = ({ push, id }: Target): string => `${push} ${id}`

/** Asks for receivers; answers those that were picked, or nothing. */
export function SharePickWindow(props: WindowProps<SharePickProps, Target[]>): ReactNode {
  const { broadcastType, recentContacts, friends, groups, close } = props
  const t = useT()
  const me = useSession().account.userId
  const [chosen, setChosen] = useState<Tab>()
  const [typed, setTyped] = useState('')
  const [picked, setPicked] = useState<readonly Target[]>([])
  const word = useDeferredValue(typed.trim())
  const chats = useQuery({
    queryKey: ['im-pick-chats', word],
    queryFn: () => api.imChatList({ keyword: word, rows: 200 }),
  })
  const people = useQuery({
    queryKey: ['im-pick-people', word],
    queryFn: () =>
      word === ''
        ? api.getSubItemList({ parentType: 'group', parentId: 0 })
        : api.searchItem2({ searchType: 'user', keyword: word, rows: 50 }),
  })
  const usable = (chats.data?.list ?? []).filter(({ mayWrite }) => mayWrite)
  const asTarget = (chat: (typeof usable)[number]): Target => ({
    push: chat.push,
    id: chat.id,
    name: chatName(t, chat),
  })
  const offered: Readonly<Record<Tab, readonly Target[]>> = {
    recent: recentContacts ?? usable.map(asTarget),
    people:
      friends ??
      (people.data?.list ?? [])
        .filter(({ type, id }) => type === 'user' && id !== me)
        .map(({ id, name }) => ({ push: 'USER', id, name })),
    groups: groups ?? usable.filter(({ push }) => push === 'GROUP').map(asTarget),
  }
  // Nothing recent, or nothing recent of that name: colleagues are offered.
  const hasRecent = recentContacts !== undefined || chats.isPending || usable.length > 0
  const tab = chosen ?? (hasRecent ? 'recent' : 'people')
  const list = offered[tab].filter(
    ({ push, id, name }) =>
      (push !== 'USER' || id !== me) &&
      name.toLowerCase().includes(tab === 'people' && friends === undefined ? '' : word.toLowerCase()),
  )
  const isOne = broadcastType === 'chat'
  const toggle = (target: Target): void => {
    if (isOne) return close([target])
    const has = picked.some((one) => keyOf(one) === keyOf(target))
    setPicked(has ? picked.filter((one) => keyOf(one) !== keyOf(target)) : [...picked, target].slice(0, most))
  }
  return (
    <>
      <div className="im-pick">
        <div className="im-pick-from">
          <label className="im-pick-find">
            <Search16Regular />
            <input
              type="search"
              autoFocus
              aria-label={t('im.search')}
              placeholder={t('im.search')}
              value={typed}
              onChange={(event) => setTyped(event.target.value)}
            />
          </label>
          <Tabs
            id="im-pick"
            label={t('talk.window.share')}
            tabs={[
              { tab: 'recent', text: t('im.recent') },
              { tab: 'people', text: t('im.people') },
              { tab: 'groups', text: t('im.groups') },
            ]}
            chosen={tab}
            onChoose={setChosen}
          />
          <div className="im-pick-list" id="im-pick-panel" role="tabpanel">
            <ul className="im-people">
              {list.map((target) => (
                <li key={keyOf(target)}>
                  <button
                    type="button"
                    aria-pressed={picked.some((one) => keyOf(one) === keyOf(target))}
                    onClick={() => toggle(target)}
                  >
                    {target.push === 'USER' ? (
                      <InitialsAvatar id={target.id} name={target.name} />
                    ) : (
                      <ChatAvatar chat={{ push: 'GROUP', name: target.name, avatar: '' }} />
                    )}
                    <bdi>{target.name}</bdi>
                  </button>
                </li>
              ))}
              {list.length === 0 && (
                <li className="im-note">{word === '' ? t('im.pickEmpty') : t('im.searchNone', { word })}</li>
              )}
            </ul>
          </div>
        </div>
        {!isOne && (
          <div className="im-pick-to">
            <h3>{t('im.picked', { n: picked.length })}</h3>
            <ul className="im-people">
              {picked.map((target) => (
                <li key={keyOf(target)}>
                  <bdi>{target.name}</bdi>
                  <IconButton
                    size="small"
                    label={t('im.drop2')}
                    icon={<Dismiss12Regular />}
                    onClick={() => toggle(target)}
                  />
                </li>
              ))}
            </ul>
          </div>
        )}
      </div>
      {!isOne && (
        <DialogFooter>
          <Button onClick={() => close()}>{t('im.cancel')}</Button>
          <Button
            kind="primary"
            disabled={picked.length === 0}
            data-tip={picked.length === 0 ? t('im.pickNone') : undefined}
            onClick={() => close([...picked])}
          >
            {t('im.sendN', { n: picked.length })}
          </Button>
        </DialogFooter>
      )}
    </>
  )
}
