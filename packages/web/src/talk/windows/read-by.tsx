// Who has read a message, and who has not.
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { api } from '../../core/call/api.ts'
import { useT } from '../../core/i18n/i18n.ts'
import { DialogBody } from '../../kit/dialog.tsx'
import { Spinner } from '../../kit/spinner.tsx'
import { Tabs } from '../../kit/tabs.tsx'
import { PersonAvatar } from '../../people/index.ts'
import './windows.css'

export interface ReadByProps {
  readonly conversationId: number
  readonly number: number
}

/** Shows the readers of a message to its sender. */
export function ReadByWindow({ conversationId, number }: ReadByProps): ReactNode {
  const t = useT()
  const [tab, setTab] = useState<'unread' | 'read'>('unread')
  const { data, error } = useQuery({
    queryKey: ['im-read-by', conversationId, number],
    queryFn: () => api.imReadStatus({ conversationId, number }),
    staleTime: 0,
  })
  if (error !== null) return <p className="im-note">{error.message}</p>
  if (data === undefined) return <Spinner label={t('im.loading')} />
  return (
    <DialogBody>
      <Tabs
        id="im-read-by"
        label={t('im.readBy')}
        tabs={[
          { tab: 'unread', text: t('im.unreadTab'), count: data.unreadCount },
          { tab: 'read', text: t('im.readTab'), count: data.readCount },
        ]}
        chosen={tab}
        onChoose={setTab}
      />
      <ul className="im-people" id="im-read-by-panel" role="tabpanel">
        {data[tab].map(({ userId, name }) => (
          <li key={userId}>
            <PersonAvatar id={userId} name={name} />
            <bdi>{name}</bdi>
          </li>
        ))}
      </ul>
    </DialogBody>
  )
}
