// The current urge beside its list: what it asks for, its item, its messages or its progress, and what the user can do.
import type { Urge } from '@cloudoc/contract'
import { shortTime } from '@cloudoc/domain'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { useLocale, useT } from '../../core/i18n/i18n.ts'
import { isolated } from '../../core/i18n/isolate.ts'
import { openWindow } from '../../core/windows/index.ts'
import { Button } from '../../kit/button.tsx'
import { Alert16Regular, Checkmark16Filled } from '../../kit/icons.ts'
import { Spinner } from '../../kit/spinner.tsx'
import { PersonAvatar } from '../../people/index.ts'
import { Messages, needsWords, ProgressBar, Receivers, UrgeChip, UrgedItem, UrgeFacts } from './urge-parts.tsx'
import { detailOf, endUrge, markHandled, repeatUrge } from './urge-queries.ts'

export function UrgeSide({ urge: { notifyId, fName } }: { readonly urge: Urge }): ReactNode {
  const t = useT()
  const locale = useLocale()
  const [now] = useState(Date.now)
  const [draft, setDraft] = useState('')
  const { data: urge } = useQuery(detailOf(notifyId))
  if (urge === undefined)
    return (
      <aside className="ur-drawer" aria-label={fName}>
        <Spinner label={t('approvals.loading')} />
      </aside>
    )
  const { isSender, may, receiverCount, handledCount } = urge
  const openInfo = (): void => void openWindow('cloudoc-urge-info', { notifyId, name: fName })
  return (
    <aside className="ur-drawer" aria-label={fName}>
      <div className="ur-who">
        <PersonAvatar id={urge.userId} name={urge.userName} />
        <div>
          <b>{isSender ? t('urge.mine') : t('urge.byWhom', { name: isolated(urge.userName) })}</b>
          <small>{shortTime(urge.createTime, now, locale)}</small>
          <q>{urge.message}</q>
        </div>
        <UrgeChip urge={urge} />
      </div>
      <UrgeFacts urge={urge} now={now} />
      <UrgedItem urge={urge} />
      {isSender ? (
        <>
          <h3>
            {t('urge.progress')} <ProgressBar done={handledCount} all={receiverCount} />
          </h3>
          <Receivers urge={urge} />
        </>
      ) : (
        <>
          <h3>{t('urge.messages')}</h3>
          <Messages notifyId={notifyId} hint={t('urge.reply')} draft={draft} onDraft={setDraft} />
        </>
      )}
      <div className="ur-drawer-foot">
        {may.end && (
          <Button kind="danger" size="small" onClick={() => void endUrge(urge)}>
            {t('urge.end.short')}
          </Button>
        )}
        <Button size="small" onClick={openInfo}>
          {t('urge.openInfo')}
        </Button>
        {may.remind && (
          <Button
            kind="primary"
            size="small"
            icon={<Alert16Regular />}
            disabled={urge.remindsLeft === 0}
            title={urge.remindsLeft === 0 ? t('urge.remind.later') : undefined}
            onClick={() => void repeatUrge(urge)}
          >
            {t('urge.remind.n', { n: receiverCount - handledCount })}
          </Button>
        )}
        {may.handle && (
          <Button
            kind="primary"
            size="small"
            icon={<Checkmark16Filled />}
            onClick={() => void (needsWords(urge) ? openInfo() : markHandled(urge))}
          >
            {t('urge.handle')}
          </Button>
        )}
      </div>
    </aside>
  )
}
