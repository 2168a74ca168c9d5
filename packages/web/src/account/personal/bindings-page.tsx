import { Link20Regular } from '@fluentui/react-icons'
import { type ReactNode, useCallback, useEffect, useState } from 'react'
import { api, CallError } from '../../core/call/api.ts'
import { useT } from '../../core/i18n/i18n.ts'
import { toast } from '../../core/toast/toast.ts'
import { Button } from '../../kit/button.tsx'
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
  useEffect(() => void read(), [read])
  if (problem !== undefined) return <StatePage title={problem} />
  if (list === undefined) return <Spinner />
  if (list.length === 0) return <StatePage title={t('bindings.none')} text={t('bindings.noneMore')} />
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
      <p className="ac-hint">{t('bindings.what')}</p>
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
    </div>
  )
}
