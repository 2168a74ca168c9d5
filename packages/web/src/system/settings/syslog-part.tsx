// The state of audit log forwarding (syslog). Shown below its settings.
import { fullTime } from '@cloudoc/domain'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { api } from '../../core/call/api.ts'
import { useT } from '../../core/i18n/i18n.ts'

/** Polled while it is shown, because no push reports a change. */
const everyMs = 5000

export function SyslogPart({ host }: { readonly host: string }): ReactNode {
  const t = useT()
  const { data } = useQuery({
    queryKey: ['admin', 'syslog'],
    queryFn: () => api.getSyslogStatus({}, { quiet: true }),
    refetchInterval: everyMs,
    enabled: host !== '',
  })
  if (host !== '' && data === undefined) return undefined
  const words =
    host === '' || data === undefined
      ? t('admin.syslog.off')
      : data.waiting > 0
        ? t('admin.syslog.waiting', { n: data.waiting })
        : t('admin.syslog.done')
  return (
    <div className="ad-set">
      <div className="ad-set-words">
        <b>{t('admin.syslog.state')}</b>
        <p>{words}</p>
        {host !== '' && typeof data?.sentAt === 'number' && (
          <small>{t('admin.syslog.sent', { when: fullTime(data.sentAt) })}</small>
        )}
        {host !== '' && data !== undefined && data.problem !== '' && (
          <p className="k-problem" role="status">
            {t('admin.syslog.problem', { when: fullTime(data.problemAt), why: data.problem })}
          </p>
        )}
      </div>
    </div>
  )
}
