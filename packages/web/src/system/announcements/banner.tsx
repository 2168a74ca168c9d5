// The announcements in force, above every page until the reader puts them away.
import type { Answer, calls } from '@cloudoc/contract'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { api } from '../../core/call/api.ts'
import { queryClient } from '../../core/call/query.ts'
import { useT } from '../../core/i18n/i18n.ts'
import { useSession } from '../../core/session/session.ts'
import { Button, IconButton } from '../../kit/button.tsx'
import { Dismiss16Regular, Megaphone16Regular } from '../../kit/icons.ts'
import './banner.css'

type Announcement = Answer<typeof calls.getAnnouncements>['list'][number]

export const bannerKey = ['announcements'] as const
/** One that ends disappears within this time. */
const refreshMs = 5 * 60_000

export function AnnouncementBanner(): ReactNode {
  const { isGuest } = useSession().permission
  const { data } = useQuery({
    queryKey: bannerKey,
    queryFn: () => api.getAnnouncements({}, { quiet: true }),
    refetchInterval: refreshMs,
    enabled: !isGuest,
  })
  const [first, ...others] = data?.list ?? []
  if (first === undefined) return null
  return <Strip key={first.announcementId} announcement={first} others={others.length} />
}

function Strip({ announcement, others }: { readonly announcement: Announcement; readonly others: number }): ReactNode {
  const t = useT()
  const [isOpen, setOpen] = useState(false)
  const { announcementId, title, text, kind, asksReading } = announcement
  const putAway = async (): Promise<void> => {
    await api.putAnnouncementAway({ announcementId })
    await queryClient.invalidateQueries({ queryKey: bannerKey })
  }
  return (
    <section className="an-strip" data-kind={kind} aria-label={t('announce.strip')}>
      <Megaphone16Regular />
      <div>
        <b>{title}</b>
        {isOpen && text !== '' && <p>{text}</p>}
      </div>
      {others > 0 && <small>{t('announce.others', { n: others })}</small>}
      {text !== '' && (
        <Button kind="link" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {t(isOpen ? 'announce.less' : 'announce.more')}
        </Button>
      )}
      {asksReading ? (
        <Button size="small" onClick={() => void putAway()}>
          {t('announce.read')}
        </Button>
      ) : (
        <IconButton label={t('announce.putAway')} icon={<Dismiss16Regular />} onClick={() => void putAway()} />
      )}
    </section>
  )
}
