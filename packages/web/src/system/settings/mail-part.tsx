// Outgoing mail: controls in addition to its settings.
import { MailAddress } from '@cloudoc/contract'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { api } from '../../core/call/api.ts'
import { queryClient } from '../../core/call/query.ts'
import { useT } from '../../core/i18n/i18n.ts'
import { SecretRow, TestRow } from './outgoing-server-rows.tsx'

const statusKey = ['admin', 'mail'] as const
const outlookKey = ['admin', 'outlook'] as const
const refetch = (): Promise<void> => queryClient.invalidateQueries({ queryKey: statusKey })

/** Shown below the settings for outgoing mail. */
export function MailPart(): ReactNode {
  const t = useT()
  const { data } = useQuery({ queryKey: statusKey, queryFn: () => api.getMailStatus({}) })
  if (data === undefined) return undefined
  const { waiting, failed, latest } = data
  return (
    <>
      <OutlookRows />
      <SecretRow
        isKept={data.hasPassword}
        words={{
          name: t('admin.mail.password'),
          more: t('admin.mail.passwordMore'),
          saved: t('admin.mail.passwordSaved'),
          cleared: t('admin.mail.passwordCleared'),
        }}
        keep={async (password) => {
          await api.setMailPassword({ password })
          await refetch()
        }}
      />
      <TestRow
        key={data.own}
        settings={['mail_host', 'mail_port', 'mail_security', 'mail_account', 'mail_sender']}
        ready={data.ready}
        own={data.own}
        type="email"
        isAddress={(to) => MailAddress.safeParse(to).success}
        words={{
          name: t('admin.mail.test'),
          more: t('admin.mail.testMore'),
          unsaved: t('admin.mail.testUnsaved'),
          notReady: t('admin.mail.testNotReady'),
          to: t('admin.mail.testTo'),
          sent: (to) => t('admin.mail.sent', { to }),
        }}
        standing={[
          ...(waiting > 0 ? [t('admin.mail.waiting', { n: waiting })] : []),
          ...(failed > 0 ? [t('admin.mail.failed', { n: failed })] : []),
          ...(latest === null ? [] : [t('admin.mail.latest', { why: latest.why })]),
        ]}
        send={(to) => api.sendTestMail({ to })}
        onTried={() => void refetch()}
      />
    </>
  )
}

/** What the binding of Outlook mailboxes needs beside its settings: the secret, and the address to register. */
function OutlookRows(): ReactNode {
  const t = useT()
  const { data } = useQuery({ queryKey: outlookKey, queryFn: () => api.getOutlookStatus({}) })
  if (data === undefined) return undefined
  return (
    <>
      <SecretRow
        isKept={data.hasSecret}
        words={{
          name: t('admin.outlook.secret'),
          more: t('admin.outlook.secretMore'),
          saved: t('admin.outlook.secretSaved'),
          cleared: t('admin.outlook.secretCleared'),
        }}
        keep={async (secret) => {
          await api.setOutlookSecret({ secret })
          await queryClient.invalidateQueries({ queryKey: outlookKey })
        }}
      />
      <div className="ad-set">
        <div className="ad-set-words">
          <b>{t('admin.outlook.return')}</b>
          <p>{t('admin.outlook.returnMore')}</p>
          <small>{t('admin.outlook.bound', { n: data.mailboxes })}</small>
        </div>
        <code className="ad-outlook-return">{data.returnAddress}</code>
      </div>
    </>
  )
}
