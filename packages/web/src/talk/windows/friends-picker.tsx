// Picks people for a group: by search and organisation, or a whole contact group at once ([R301]).
import { limits } from '@cloudoc/domain'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { api } from '../../core/call/api.ts'
import { useT } from '../../core/i18n/i18n.ts'
import { useSession } from '../../core/session/session.ts'
import type { WindowProps } from '../../core/windows/index.ts'
import { Button } from '../../kit/button.tsx'
import { DialogBody, DialogFooter } from '../../kit/dialog.tsx'
import { TextField } from '../../kit/fields.tsx'
import { type Subject, SubjectField } from '../../people/index.ts'
import type { TalkPerson } from '../state/people.ts'
import './windows.css'

export interface FriendsPickerProps {
  /** A new group, or more members of one. */
  readonly purpose: 'group' | 'add'
  readonly picked: TalkPerson[]
  /** Members already; they cannot be picked. */
  readonly present: number[]
}
export interface FriendsPicked {
  readonly name: string
  readonly people: TalkPerson[]
}

/** Asks for people and, for a new group, its name. */
export function FriendsPickerWindow(props: WindowProps<FriendsPickerProps, FriendsPicked>): ReactNode {
  const { purpose, picked, present, close, setDirty } = props
  const t = useT()
  const me = useSession().account.userId
  const [name, setName] = useState('')
  const [chosen, setChosen] = useState<readonly Subject[]>(
    picked.map(({ userId, name: of }) => ({ type: 'user', id: userId, name: of })),
  )
  const groups = useQuery({ queryKey: ['im-contact-groups'], queryFn: () => api.getContactGroups({}) })
  const taken = new Set([me, ...present])
  const free = chosen.filter(({ id }) => !taken.has(id))
  const add = (people: readonly TalkPerson[]): void => {
    const known = new Set(chosen.map(({ id }) => id))
    const more = people.filter(({ userId }) => !known.has(userId) && !taken.has(userId))
    setChosen([...chosen, ...more.map(({ userId, name: of }): Subject => ({ type: 'user', id: userId, name: of }))])
    setDirty(true)
  }
  return (
    <>
      <DialogBody>
        {purpose === 'group' && (
          <TextField
            label={t('im.groupName')}
            help={t('im.groupNameHint')}
            value={name}
            maxLength={limits.longestContactGroup}
            onChange={(event) => setName(event.target.value)}
          />
        )}
        <SubjectField
          label={t('im.people')}
          types="user"
          autoFocus
          chosen={chosen}
          onChange={(next) => {
            setChosen(next)
            setDirty(true)
          }}
        />
        {chosen.length > free.length && <p className="im-note">{t('im.already')}</p>}
        {groups.data !== undefined && groups.data.list.length > 0 && (
          <div className="im-picks">
            <h3>{t('im.contactGroups')}</h3>
            {groups.data.list.map((group) => (
              <Button key={group.contactGroupId} size="small" onClick={() => add(group.members)}>
                {group.name} · {group.members.length}
              </Button>
            ))}
          </div>
        )}
      </DialogBody>
      <DialogFooter>
        <Button onClick={() => close()}>{t('im.cancel')}</Button>
        <Button
          kind="primary"
          disabled={free.length === 0}
          data-tip={free.length === 0 ? t('im.pickNone') : undefined}
          onClick={() =>
            close({ name: name.trim(), people: free.map(({ id, name: of }) => ({ userId: id, name: of })) })
          }
        >
          {purpose === 'group' ? t('im.newGroup') : t('im.addN', { n: free.length })}
        </Button>
      </DialogFooter>
    </>
  )
}
