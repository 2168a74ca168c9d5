// What waits on this phone: uploads that the server does not have yet, and those that need the user.

import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { useT } from '../core/i18n/i18n.ts'
import { ArrowUpload20Regular, ChevronRight20Regular, Warning20Regular } from '../kit/icons.ts'
import { isDoing, needsAttention } from '../transfer/screens/task-parts.tsx'
import { useTransfers } from '../transfer/tasks/transfers.ts'
import './late-texts.ts'

const transfersPath = '/m/page/transfer/doing'

/** A line for each, which leads to the transfers; nothing while nothing waits. */
export function WaitingUploads(): ReactNode {
  const t = useT()
  const uploads = useTransfers().tasks.filter(({ type, isOnlineEdit }) => type === 'upload' && !isOnlineEdit)
  const waiting = uploads.filter(isDoing)
  const left = waiting.reduce((sum, task) => sum + task.left, 0)
  const stuck = uploads.filter(needsAttention).length
  return (
    <>
      {left > 0 && (
        <Link className="m-waiting" to={transfersPath}>
          <ArrowUpload20Regular />
          <span role="status">{t('mobile.waiting', { n: left })}</span>
          <ChevronRight20Regular />
        </Link>
      )}
      {stuck > 0 && (
        <Link className="m-waiting is-warning" to={transfersPath}>
          <Warning20Regular />
          <span role="status">{t('mobile.stuck', { n: stuck })}</span>
          <ChevronRight20Regular />
        </Link>
      )}
    </>
  )
}
