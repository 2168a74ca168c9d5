import { type ReactNode, useCallback, useEffect, useState } from 'react'
import { api, CallError } from '../../core/call/api.ts'
import { useT } from '../../core/i18n/i18n.ts'
import { toast } from '../../core/toast/toast.ts'
import { openWindow } from '../../core/windows/index.ts'
import { Button } from '../../kit/button.tsx'
import { Link20Regular } from '../../kit/icons.ts'
import { Spinner } from '../../kit/spinner.tsx'
import { StatePage } from '../../kit/state-page.tsx'
import { SettingRow } from '../frame/side-pages.tsx'
import './security-texts.ts'

type Bindings = Awaited<ReturnType<typeof api.getMyBindings>>['list']

/** The identities of providers by which the user signs in ([R351]): each can be bound, and parted from. */
export function BindingsPage(): ReactNode {
  const t = useT()
  const [list, setList] = useState<Bindings>()
  const [problem, setProblem] = useState<string>()
  const read = useCallback(async () => {
    try {
      setList((await api.getMyBindings({}, { quiet: true })).list)
    } catch (error) {
      if (!(error instanceof CallError)) throw error
      setProblem(error.message)
    }
  }, [])
  // Whoever may have no mailboxes here is refused, and binds none.
  const [mail, setMail] = useState<Awaited<ReturnType<typeof api.getMailboxes>>>()
  useEffect(() => {
    void read()
    api.getMailboxes({}, { quiet: true }).then(setMail, () => undefined)
  }, [read])
  const outlook = mail?.canBindOutlook === true || mail?.list.some(({ isOutlook }) => isOutlook) ? mail : undefined
  if (problem !== undefined) return <StatePage title={problem} />
  if (list === undefined) return <Spinner />
  if (list.length === 0 && outlook === undefined)
    return <StatePage title={t('bindings.none')} text={t('bindings.noneMore')} />
  const bind = async (providerId: number): Promise<void> => {
    location.assign((await api.startBinding({ providerId })).address)
  }
  const part = async (providerId: number): Promise<void> => {
    await api.endBinding({ providerId })
    toast({ kind: 'success', text: t('bindings.ended') })
    await read()
  }
  return (
    <div className="ac-body">
      {list.length > 0 && <p className="ac-hint">{t('bindings.what')}</p>}
      {list.map(({ providerId, name, kind, label }) => (
        <SettingRow key={providerId} label={name} note={label === '' ? t('bindings.not') : label}>
          {label === '' ? (
            <Button icon={<Link20Regular />} onClick={() => void bind(providerId).catch(() => undefined)}>
              {t('bindings.bind')}
            </Button>
          ) : (
            kind !== 'ldap' && (
              <Button onClick={() => void part(providerId).catch(() => undefined)}>{t('bindings.end')}</Button>
            )
          )}
        </SettingRow>
      ))}
      {outlook !== undefined && (
        <OutlookRow
          accounts={outlook.list.filter(({ isOutlook }) => isOutlook).map(({ account }) => account)}
          canBind={outlook.canBindOutlook}
        />
      )}
    </div>
  )
}

interface OutlookRowProps {
  readonly accounts: readonly string[]
  readonly canBind: boolean
}

/** The Outlook mailboxes that are bound ([R351]). They are parted from in the settings of mailboxes, with their mails. */
function OutlookRow({ accounts, canBind }: OutlookRowProps): ReactNode {
  const t = useT()
  const bind = async (): Promise<void> => {
    location.assign((await api.startOutlookBinding({})).address)
  }
  return (
    <SettingRow
      label={t('bindings.outlook')}
      note={accounts.length === 0 ? t('bindings.not') : accounts.join(t('bindings.outlook.and'))}
    >
      {accounts.length > 0 && (
        <Button onClick={() => void openWindow('email-boxes', {})}>{t('bindings.outlook.settings')}</Button>
      )}
      {canBind && (
        <Button icon={<Link20Regular />} onClick={() => void bind().catch(() => undefined)}>
          {t(accounts.length === 0 ? 'bindings.bind' : 'bindings.outlook.more')}
        </Button>
      )}
    </SettingRow>
  )
}
