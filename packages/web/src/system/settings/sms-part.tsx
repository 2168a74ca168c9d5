// Text messages (SMS): controls in addition to their settings.
import { mobileOf } from '@cloudoc/domain'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { api } from '../../core/call/api.ts'
import { queryClient } from '../../core/call/query.ts'
import { useT } from '../../core/i18n/i18n.ts'
import { SecretRow, TestRow } from './outgoing-server-rows.tsx'

const statusKey = ['admin', 'sms'] as const
const refetch = (): Promise<void> => queryClient.invalidateQueries({ queryKey: statusKey })

/** Shown below the SMS settings. */
export function SmsPart(): ReactNode {
  const t = useT()
  const { data } = useQuery({ queryKey: statusKey, queryFn: () => api.getSmsStatus({}) })
  if (data === undefined) return undefined
  const standing = [
    ...(data.waiting > 0 ? [t('admin.sms.waiting', { n: data.waiting })] : []),
    ...(data.failed > 0 ? [t('admin.sms.failed', { n: data.failed })] : []),
    ...(data.latest === null ? [] : [t('admin.mail.latest', { why: data.latest.why })]),
  ]
  return (
    <>
      <SecretRow
        isKept={data.hasSecret}
        words={{
          name: t('admin.sms.secret'),
          more: t('admin.sms.secretMore'),
          saved: t('admin.sms.secretSaved'),
          cleared: t('admin.sms.secretCleared'),
        }}
        keep={async (secret) => {
          await api.setSmsSecret({ secret })
          await refetch()
        }}
      />
      <TestRow
        key={data.own}
        settings={['sms_url', 'sms_method', 'sms_headers', 'sms_body', 'sms_success']}
        ready={data.ready}
        own={data.own}
        type="tel"
        isAddress={(to) => mobileOf(to) !== undefined}
        words={{
          name: t('admin.sms.test'),
          more: t('admin.sms.testMore'),
          unsaved: t('admin.sms.testUnsaved'),
          notReady: t('admin.sms.testNotReady'),
          to: t('admin.sms.testTo'),
          sent: (to) => t('admin.sms.sent', { to }),
        }}
        standing={standing}
        send={(phone) => api.sendTestSms({ phone })}
        onTried={() => void refetch()}
      />
    </>
  )
}
