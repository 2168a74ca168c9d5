// The group or the person of the open conversation: announcement, files, members, settings.
import type { TalkChat } from '@cloudoc/contract'
import { fullTime } from '@cloudoc/domain'
import { useQuery } from '@tanstack/react-query'
import { type MouseEvent, type ReactNode, useEffect, useState } from 'react'
import { api } from '../../core/call/api.ts'
import { queryClient } from '../../core/call/query.ts'
import { useT } from '../../core/i18n/i18n.ts'
import { showMenu } from '../../core/menu/menu.ts'
import { toast } from '../../core/toast/toast.ts'
import { confirmBox } from '../../core/windows/boxes.ts'
import { openWindow } from '../../core/windows/index.ts'
import { Button, IconButton } from '../../kit/button.tsx'
import { TextField } from '../../kit/fields.tsx'
import { Add20Regular, Edit16Regular } from '../../kit/icons.ts'
import { Switch } from '../../kit/switch.tsx'
import { PersonAvatar } from '../../people/index.ts'
import { ChatAvatar } from '../parts/chat-avatar.tsx'
import { chatName } from '../parts/words.ts'
import { loadChats, myId, patchChat } from '../state/chats.ts'
import { onTalk } from '../state/events.ts'

interface InfoPaneProps {
  readonly chat: TalkChat
  readonly onPerson: (userId: number) => void
}

const membersShown = 50

function SwitchRow(props: {
  readonly label: string
  readonly note?: string
  readonly on: boolean
  readonly onChange: (on: boolean) => void
}): ReactNode {
  const { label, note, on, onChange } = props
  return (
    <div className="im-switch">
      <span>
        {label}
        {note !== undefined && <small>{note}</small>}
      </span>
      <Switch label={label} on={on} onChange={onChange} />
    </div>
  )
}

/** A text that owner and managers change in place. */
function EditableText(props: {
  readonly label: string
  readonly text: string
  readonly empty: string
  readonly most: number
  readonly rows: number
  readonly canEdit: boolean
  readonly onSave: (text: string) => Promise<unknown>
}): ReactNode {
  const { label, text, empty, most, rows, canEdit, onSave } = props
  const t = useT()
  const [draft, setDraft] = useState<string>()
  if (draft !== undefined)
    return (
      <div className="im-edit">
        {rows === 1 ? (
          <TextField
            label={label}
            value={draft}
            maxLength={most}
            autoFocus
            onChange={(event) => setDraft(event.target.value)}
          />
        ) : (
          <textarea
            aria-label={label}
            rows={rows}
            maxLength={most}
            value={draft}
            onChange={(event) => setDraft(event.target.value)}
          />
        )}
        <Button onClick={() => setDraft(undefined)}>{t('im.cancel')}</Button>
        <Button
          kind="primary"
          disabled={rows === 1 && draft.trim() === ''}
          onClick={() => void onSave(draft).then(() => setDraft(undefined))}
        >
          {t('im.save')}
        </Button>
      </div>
    )
  return (
    <p className="im-editable">
      <bdi>{text === '' ? empty : text}</bdi>
      {canEdit && (
        <IconButton size="small" label={t('im.change')} icon={<Edit16Regular />} onClick={() => setDraft(text)} />
      )}
    </p>
  )
}

function Members({ chat, onPerson }: InfoPaneProps): ReactNode {
  const t = useT()
  const { conversationId, role } = chat
  const [keyword, setKeyword] = useState('')
  const key = ['im-members', conversationId]
  const { data } = useQuery({
    queryKey: [...key, keyword],
    queryFn: () => api.imGroupMembers({ conversationId, keyword, rows: membersShown }),
  })
  useEffect(
    () =>
      onTalk((kind, payload) => {
        if (kind === 'changed' && (payload as { conversationId: number }).conversationId === conversationId)
          void queryClient.invalidateQueries({ queryKey: ['im-members', conversationId] })
      }),
    [conversationId],
  )
  const add = async (): Promise<void> => {
    const present = (data?.list ?? []).map(({ userId }) => userId)
    const answer = await openWindow('im-friends-picker', { purpose: 'add', picked: [], present })
    if (answer === undefined || answer.people.length === 0) return
    const { list } = await api.imAddMembers({ conversationId, userIdArray: answer.people.map(({ userId }) => userId) })
    if (list.some(({ outcome }) => outcome === 'asked')) toast({ text: t('im.asked'), kind: 'info' })
    await queryClient.invalidateQueries({ queryKey: key })
  }
  const menu = (event: MouseEvent, member: { userId: number; name: string; role: string }): void => {
    const { userId, name } = member
    const isMe = userId === myId()
    event.preventDefault()
    void showMenu(
      [
        { id: 'write', label: t('im.writeTo'), show: !isMe, run: () => onPerson(userId) },
        {
          id: 'manager',
          label: t(member.role === 'manager' ? 'im.unsetManager' : 'im.setManager'),
          show: role === 'owner' && !isMe,
          run: () =>
            void api.imSetRole({ conversationId, userId, role: member.role === 'manager' ? 'member' : 'manager' }),
        },
        {
          id: 'owner',
          label: t('im.makeOwner'),
          show: role === 'owner' && !isMe,
          run: () =>
            void confirmBox({ text: t('im.makeOwnerAsk', { name }), ok: t('im.makeOwner') }).then(async (yes) => {
              if (yes) await api.imSetRole({ conversationId, userId, role: 'owner' })
            }),
        },
        {
          id: 'remove',
          label: t('im.removeMember'),
          danger: true,
          show: !isMe && (role === 'owner' || (role === 'manager' && member.role === 'member')),
          run: () =>
            void confirmBox({ text: t('im.removeMemberAsk', { name }), ok: t('im.removeMember'), danger: true }).then(
              async (yes) => {
                if (yes) await api.imRemoveMembers({ conversationId, userIdArray: [userId] })
              },
            ),
        },
      ],
      { x: event.clientX, y: event.clientY },
    )
  }
  const decide = (userId: number, approve: boolean): void =>
    void api.imDecideInvitation({ conversationId, userId, approve })
  return (
    <section>
      <h2>
        {t('im.memberList')} · {chat.members}
        {chat.libraryId === 0 && (
          <Button kind="link" size="small" icon={<Add20Regular />} onClick={() => void add()}>
            {t('im.add')}
          </Button>
        )}
      </h2>
      {data !== undefined && data.waiting.length > 0 && (
        <>
          <h3>{t('im.waitingIn')}</h3>
          <ul>
            {data.waiting.map(({ userId, name, invitedBy }) => (
              <li key={userId} className="im-member">
                <PersonAvatar id={userId} name={name} />
                <bdi>{name}</bdi>
                <small>{t('im.invitedBy', { name: invitedBy })}</small>
                <Button size="small" onClick={() => decide(userId, true)}>
                  {t('im.approve')}
                </Button>
                <Button size="small" onClick={() => decide(userId, false)}>
                  {t('im.reject')}
                </Button>
              </li>
            ))}
          </ul>
        </>
      )}
      {chat.members > 12 && (
        <input
          type="search"
          className="im-member-search"
          aria-label={t('im.searchMembers')}
          placeholder={t('im.searchMembers')}
          value={keyword}
          onChange={(event) => setKeyword(event.target.value)}
        />
      )}
      <ul>
        {data?.list.map((member) => (
          <li key={member.userId} className="im-member" onContextMenu={(event) => menu(event, member)}>
            <PersonAvatar id={member.userId} name={member.name} />
            {member.status === 'ONLINE' && <i className="im-online" role="img" aria-label={t('im.online')} />}
            <button type="button" onClick={(event) => menu(event, member)}>
              <bdi>{member.name}</bdi>
            </button>
            <small>
              {member.role === 'owner'
                ? t('im.owner')
                : member.role === 'manager'
                  ? t('im.manager')
                  : member.userId === myId()
                    ? t('im.me')
                    : member.title}
            </small>
          </li>
        ))}
      </ul>
    </section>
  )
}

interface SwitchesProps {
  readonly chat: TalkChat
  /** Whether the person may change the group. */
  readonly leads: boolean
  readonly update: (change: Omit<Parameters<typeof api.imUpdateGroup>[0], 'conversationId'>) => Promise<unknown>
}

/** What the person has set for the conversation, and what leaders have set for the group. */
function Switches({ chat, leads, update }: SwitchesProps): ReactNode {
  const t = useT()
  const { conversationId } = chat
  const set = (work: Promise<unknown>, change: Partial<TalkChat>): void => {
    patchChat(conversationId, change)
    work.catch(() => void loadChats())
  }
  return (
    <section>
      <SwitchRow
        label={t('im.top')}
        on={chat.top}
        onChange={(top) => set(api.imTopChat({ conversationId, top }), { top })}
      />
      <SwitchRow
        label={t('im.mute')}
        note={t('im.muteNote')}
        on={chat.mute}
        onChange={(mute) => set(api.imMuteChat({ conversationId, mute }), { mute })}
      />
      {leads && (
        <>
          <SwitchRow
            label={t('im.allMuted')}
            on={chat.allMuted}
            onChange={(allMuted) => set(update({ allMuted }), { allMuted })}
          />
          <SwitchRow
            label={t('im.approvesInvites')}
            on={chat.approvesInvites}
            onChange={(approvesInvites) => set(update({ approvesInvites }), { approvesInvites })}
          />
          <SwitchRow
            label={t('im.leadersMentionAll')}
            on={chat.leadersMentionAll}
            onChange={(leadersMentionAll) => set(update({ leadersMentionAll }), { leadersMentionAll })}
          />
          <SwitchRow
            label={t('im.showsHistory')}
            on={chat.showsHistory}
            onChange={(showsHistory) => set(update({ showsHistory }), { showsHistory })}
          />
        </>
      )}
    </section>
  )
}

/** Leaving the group, and dissolving it. */
function Endings({ chat }: { readonly chat: TalkChat }): ReactNode {
  const t = useT()
  const { conversationId, role } = chat
  const name = chatName(t, chat)
  const leave = async (): Promise<void> => {
    if (!(await confirmBox({ text: t('im.exitAsk', { name }), ok: t('im.exit'), danger: true }))) return
    await api.imExitGroup({ conversationId })
  }
  const dissolve = async (): Promise<void> => {
    if (!(await confirmBox({ text: t('im.dissolveAsk', { name }), ok: t('im.dissolve'), danger: true }))) return
    await api.imDissolveGroup({ conversationId })
  }
  return (
    <section className="im-ends">
      <Button disabled={role === 'owner'} onClick={() => void leave()}>
        {t('im.exit')}
      </Button>
      {role === 'owner' && (
        <Button kind="danger" onClick={() => void dissolve()}>
          {t('im.dissolve')}
        </Button>
      )}
      {role === 'owner' && <small>{t('im.exitOwner')}</small>}
    </section>
  )
}

/** What the conversation is, and what the person has set for it. */
export function InfoPane({ chat, onPerson }: InfoPaneProps): ReactNode {
  const t = useT()
  const { conversationId, role } = chat
  const name = chatName(t, chat)
  const isGroup = chat.push === 'GROUP'
  const leads = isGroup && chat.isMember && role !== 'member'
  const update = (change: Omit<Parameters<typeof api.imUpdateGroup>[0], 'conversationId'>) =>
    api.imUpdateGroup({ conversationId, ...change })
  const { data: members } = useQuery({
    queryKey: ['im-members', conversationId, ''],
    queryFn: () => api.imGroupMembers({ conversationId, rows: membersShown }),
    enabled: isGroup && chat.isMember,
  })
  useEffect(() => {
    if (isGroup && chat.isMember && chat.announcement !== '')
      void api.imReadAnnouncement({ conversationId }).catch(() => undefined)
  }, [conversationId, isGroup, chat.isMember, chat.announcement])
  const changePicture = async (): Promise<void> => {
    const picture = await openWindow('cloudoc-crop-avatar', {})
    if (picture !== undefined) await update({ picture })
  }
  return (
    <aside className="im-info" aria-label={t('im.info')}>
      <header>
        {leads ? (
          <button
            type="button"
            className="im-change-picture"
            aria-label={t('im.groupPicture')}
            data-tip={t('im.groupPicture')}
            onClick={() => void changePicture()}
          >
            <ChatAvatar chat={chat} size={40} />
            <Edit16Regular />
          </button>
        ) : (
          <ChatAvatar chat={chat} size={40} />
        )}
        <div>
          {isGroup && chat.isMember ? (
            <EditableText
              label={t('im.groupName')}
              text={name}
              empty=""
              most={60}
              rows={1}
              canEdit={leads}
              onSave={(text) => update({ name: text })}
            />
          ) : (
            <b>{name}</b>
          )}
          {isGroup && chat.isMember && <small>{t('im.members', { n: chat.members })}</small>}
        </div>
      </header>
      {isGroup && chat.isMember && (
        <section>
          <h2>
            {t('im.announcement')}
            {chat.announcedAt !== null && chat.announcement !== '' && (
              <small>
                {t('im.announced', { name: chat.announcedBy, date: fullTime(chat.announcedAt).slice(5, 10) })}
              </small>
            )}
          </h2>
          <EditableText
            key={chat.announcement}
            label={t('im.announcement')}
            text={chat.announcement}
            empty={t('im.noAnnouncement')}
            most={1000}
            rows={4}
            canEdit={leads}
            onSave={(announcement) => update({ announcement })}
          />
          {chat.announcement !== '' && members !== undefined && (
            <small>{t('im.announcementRead', { n: members.announcementRead, of: members.total })}</small>
          )}
        </section>
      )}
      <section>
        <h2>
          {t(isGroup ? 'im.files' : 'im.filesHere')}
          <Button
            kind="link"
            size="small"
            onClick={() => void openWindow('im-chat-log', { conversationId, name, kind: 'file' })}
          >
            {t('im.all')}
          </Button>
        </h2>
      </section>
      {isGroup && chat.isMember && <Members chat={chat} onPerson={onPerson} />}
      <Switches chat={chat} leads={leads} update={update} />
      {isGroup && chat.isMember && <Endings chat={chat} />}
    </aside>
  )
}
