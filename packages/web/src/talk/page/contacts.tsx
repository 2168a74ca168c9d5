// Contacts: the person's own groups of them, and the organisation.

import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useDeferredValue, useState } from 'react'
import { api } from '../../core/call/api.ts'
import { queryClient } from '../../core/call/query.ts'
import { useT } from '../../core/i18n/i18n.ts'
import { showMenu } from '../../core/menu/menu.ts'
import { confirmBox } from '../../core/windows/boxes.ts'
import { openWindow } from '../../core/windows/index.ts'
import { Button, IconButton } from '../../kit/button.tsx'
import {
  Building20Regular,
  ChevronRight16Regular,
  Library20Regular,
  MoreHorizontal20Regular,
  PeopleList20Regular,
} from '../../kit/icons.ts'
import { Spinner } from '../../kit/spinner.tsx'
import { InitialsAvatar } from '../../people/index.ts'
import { startGroup } from '../parts/start.ts'
import { knowChat } from '../state/chats.ts'

interface ContactsProps {
  readonly keyword: string
  readonly onPerson: (userId: number) => void
  readonly onGroup: (conversationId: number) => void
}

/** The groups that libraries offer by themselves. Opening one makes the person a member. */
function LibraryGroups({ onGroup }: Pick<ContactsProps, 'onGroup'>): ReactNode {
  const t = useT()
  const { data } = useQuery({ queryKey: ['im-library-groups'], queryFn: () => api.imLibraryGroups({}) })
  if (data === undefined || data.list.length === 0) return null
  const open = async (libraryId: number): Promise<void> => {
    const chat = await api.imOpenLibraryGroup({ libraryId })
    knowChat(chat)
    onGroup(chat.conversationId)
  }
  return (
    <>
      <h2>{t('im.libraryGroups')}</h2>
      <ul>
        {data.list.map(({ libraryId, name, conversationId, members }) => (
          <li key={libraryId}>
            <button type="button" className="im-contact" onClick={() => void open(libraryId)}>
              <Library20Regular />
              <bdi>{name}</bdi>
              <small>{conversationId === 0 ? t('im.libraryGroupNew') : t('im.members', { n: members })}</small>
            </button>
          </li>
        ))}
      </ul>
    </>
  )
}

type Way = readonly { readonly id: number; readonly name: string }[]

export const contactGroupsQuery = { queryKey: ['im-contact-groups'], queryFn: () => api.getContactGroups({}) }

/** The contacts that match a keyword. */
export function Contacts({ keyword, onPerson, onGroup }: ContactsProps): ReactNode {
  const t = useT()
  const word = useDeferredValue(keyword.trim())
  const [way, setWay] = useState<Way>([])
  const [open, setOpen] = useState<number>()
  const parent = way.at(-1)?.id ?? 0
  const groups = useQuery(contactGroupsQuery)
  const found = useQuery({
    queryKey: ['im-org', word, parent],
    queryFn: () =>
      word === ''
        ? api.getSubItemList({ parentType: 'group', parentId: parent })
        : api.searchItem2({ searchType: 'user', keyword: word, rows: 50 }),
  })
  const remove = async (contactGroupId: number, name: string): Promise<void> => {
    if (!(await confirmBox({ text: t('im.deleteGroupAsk', { name }), ok: t('im.delete'), danger: true }))) return
    await api.deleteContactGroup({ contactGroupId })
    await queryClient.invalidateQueries({ queryKey: contactGroupsQuery.queryKey })
  }
  return (
    <div className="im-contacts">
      {word === '' && (
        <>
          <h2>
            {t('im.contactGroups')}
            <Button kind="link" size="small" onClick={() => void openWindow('cloudoc-concat-group-create', {})}>
              {t('im.newContactGroup')}
            </Button>
          </h2>
          {groups.data?.list.length === 0 && <p className="im-note">{t('im.noContactGroups')}</p>}
          <ul>
            {groups.data?.list.map(({ contactGroupId, name, members }) => (
              <li key={contactGroupId}>
                <div className="im-contact-row">
                  <button
                    type="button"
                    className="im-contact"
                    aria-expanded={open === contactGroupId}
                    onClick={() => setOpen(open === contactGroupId ? undefined : contactGroupId)}
                  >
                    <PeopleList20Regular />
                    <bdi>{name}</bdi>
                    <small>{members.length}</small>
                  </button>
                  <IconButton
                    size="small"
                    label={t('im.moreMenu')}
                    icon={<MoreHorizontal20Regular />}
                    onClick={(event) =>
                      void showMenu(
                        [
                          {
                            id: 'change',
                            label: t('im.change'),
                            run: () => void openWindow('cloudoc-concat-group-create', { contactGroupId }),
                          },
                          {
                            id: 'start',
                            label: t('im.startGroup'),
                            disabled: members.length === 0,
                            run: () => void startGroup(members).then((id) => id !== undefined && onGroup(id)),
                          },
                          {
                            id: 'delete',
                            label: t('im.delete'),
                            danger: true,
                            run: () => void remove(contactGroupId, name),
                          },
                        ],
                        { x: event.clientX, y: event.clientY },
                      )
                    }
                  />
                </div>
                {open === contactGroupId && (
                  <ul className="im-sub">
                    {members.map((person) => (
                      <li key={person.userId}>
                        <button type="button" className="im-contact" onClick={() => onPerson(person.userId)}>
                          <InitialsAvatar id={person.userId} name={person.name} />
                          <bdi>{person.name}</bdi>
                        </button>
                      </li>
                    ))}
                  </ul>
                )}
              </li>
            ))}
          </ul>
          <LibraryGroups onGroup={onGroup} />
          <h2>{t('im.org')}</h2>
          {way.length > 0 && (
            <Button kind="link" size="small" onClick={() => setWay(way.slice(0, -1))}>
              {t('im.back')}：{way.map(({ name }) => name).join(' / ')}
            </Button>
          )}
        </>
      )}
      {found.isPending ? (
        <Spinner label={t('im.loading')} />
      ) : (
        <ul>
          {found.data?.list
            .filter(({ type }) => type !== 'role')
            .map((one) => (
              <li key={`${one.type} ${one.id}`}>
                <button
                  type="button"
                  className="im-contact"
                  onClick={() =>
                    one.type === 'group' ? setWay([...way, { id: one.id, name: one.name }]) : onPerson(one.id)
                  }
                >
                  {one.type === 'group' ? <Building20Regular /> : <InitialsAvatar id={one.id} name={one.name} />}
                  <bdi>{one.name}</bdi>
                  <small>{one.type === 'group' ? '' : (one.title ?? one.groupName ?? '')}</small>
                  {one.type === 'group' && <ChevronRight16Regular />}
                </button>
              </li>
            ))}
          {word !== '' && found.data?.list.length === 0 && <li className="im-line">{t('im.searchNone', { word })}</li>}
        </ul>
      )}
    </div>
  )
}
