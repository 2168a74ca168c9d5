// The current signing process beside its list: its course, and what the user can do.
import type { SignActivity } from '@cloudoc/contract'
import { minuteTime } from '@cloudoc/domain'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useT } from '../../core/i18n/i18n.ts'
import { isolated } from '../../core/i18n/isolate.ts'
import { useSession } from '../../core/session/session.ts'
import { openWindow } from '../../core/windows/index.ts'
import { FileIcon } from '../../items/item/file-icon.tsx'
import { Button } from '../../kit/button.tsx'
import { Alert16Regular, Signature16Regular } from '../../kit/icons.ts'
import { Spinner } from '../../kit/spinner.tsx'
import { Road } from '../detail/road.tsx'
import { detailQuery, remindSigners } from '../shared/sign-queries.ts'
import { SignChip } from '../shared/state-chip.tsx'
import './lists.css'

export const openDetail = ({ activityId, activityTitle }: SignActivity): void =>
  void openWindow('cloudoc-sign-detail', { activityId, name: activityTitle })

export const openReject = ({ activityId }: SignActivity): void => void openWindow('sign-reject', { activityId })

export function SignSide({ activity }: { readonly activity: SignActivity }): ReactNode {
  const t = useT()
  const me = useSession().account.userId
  const { data } = useQuery(detailQuery(activity.activityId))
  const { activityTitle, fileName, pages, isTurn } = activity
  return (
    <aside className="sg-side" aria-label={activityTitle}>
      <header>
        <h2>{activityTitle}</h2>
        <SignChip activity={activity} />
        <small>
          {isolated(activity.launcherName)} · {minuteTime(activity.createTime)}
        </small>
      </header>
      <div className="sg-side-body">
        <p className="sg-side-file">
          <FileIcon ext="pdf" size={22} />
          <span>{t('sign.detail.pages', { name: isolated(fileName), n: pages })}</span>
        </p>
        {data?.comment !== undefined && data.comment !== '' && <q>{data.comment}</q>}
        {data === undefined ? <Spinner label={t('sign.loading')} /> : <Road detail={data} me={me} />}
      </div>
      <footer>
        {isTurn && (
          <Button size="small" kind="danger" onClick={() => openReject(activity)}>
            {t('sign.act.reject')}
          </Button>
        )}
        {data?.may.withdraw === true && (
          <Button
            size="small"
            icon={<Alert16Regular />}
            disabled={data.remindsLeft === 0}
            title={data.remindsLeft === 0 ? t('sign.act.remind.later') : undefined}
            onClick={() => void remindSigners(data)}
          >
            {t('sign.act.remind')}
          </Button>
        )}
        <Button
          size="small"
          {...(isTurn && { kind: 'primary' as const, icon: <Signature16Regular /> })}
          onClick={() => openDetail(activity)}
        >
          {t(isTurn ? 'sign.act.sign' : 'sign.list.open')}
        </Button>
      </footer>
    </aside>
  )
}
