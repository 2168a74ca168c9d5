import { codes, minuteTime } from '@cloudoc/domain'
import { type ReactNode, useCallback, useEffect, useState } from 'react'
import { api } from '../../core/call/api.ts'
import { useLocale, useT } from '../../core/i18n/i18n.ts'
import { userAgentLabel } from '../../core/page/user-agent.ts'
import { toast } from '../../core/toast/toast.ts'
import { Button } from '../../kit/button.tsx'
import { StatusChip } from '../../kit/chips.tsx'
import { Desktop20Regular, Phone20Regular } from '../../kit/icons.ts'
import { Spinner } from '../../kit/spinner.tsx'
import { type Column, Table } from '../../kit/table.tsx'
import { SettingRow } from '../frame/side-pages.tsx'
import type { PageProps } from './page-props.ts'
import './security-texts.ts'

type Known = Awaited<ReturnType<typeof api.getMySessions>>
type Strategy = Awaited<ReturnType<typeof api.getSafeStrategyInfo>>

/** The active sessions of the user, each of which can be ended. */
export function SessionsPage({ go }: PageProps): ReactNode {
  const t = useT()
  const locale = useLocale()
  const [known, setKnown] = useState<Known>()
  const read = useCallback(async () => setKnown(await api.getMySessions({})), [])
  useEffect(() => void read().catch(() => undefined), [read])
  const [policy, setPolicy] = useState<Strategy['policy']>()
  useEffect(() => {
    api.getSafeStrategyInfo({}, { quiet: true }).then(
      (strategy) => setPolicy(strategy.policy),
      () => undefined,
    )
  }, [])
  if (known === undefined) return <Spinner />
  const others = known.sessions.filter(({ current }) => !current).map(({ sessionId }) => sessionId)
  const end = async (sessionIds: number[]): Promise<void> => {
    const { ended } = await api.endMySessions({ sessionIds })
    toast({ kind: 'success', text: t('sessions.ended', { n: ended }) })
    await read()
  }
  const resultOf = (refused: string): string => {
    if (refused === '') return t('sessions.success')
    return refused in codes ? codes[refused as keyof typeof codes][locale] : refused
  }
  const columns: readonly Column<Known['recent'][number]>[] = [
    { id: 'time', head: t('sessions.column.time'), renderCell: ({ at }) => minuteTime(at) },
    { id: 'address', head: t('sessions.column.address'), renderCell: ({ address }) => address },
    {
      id: 'result',
      head: t('sessions.column.result'),
      renderCell: ({ refused }) =>
        refused === '' ? resultOf(refused) : <StatusChip tone="warning">{resultOf(refused)}</StatusChip>,
    },
  ]
  return (
    <>
      <div className="ac-body">
        {policy !== undefined && (
          <p className="ac-hint">
            {t('sessions.policy', { hours: policy.sessionIdleHours, days: policy.sessionDays })}
          </p>
        )}
        {known.sessions.map((session) => (
          <SettingRow
            key={session.sessionId}
            label={`${userAgentLabel(session.agent) || t('sessions.unknown')}${session.isGuest ? ` · ${t('visitor.mode')}` : ''}`}
            note={`${session.address} · ${t('sessions.used', { time: minuteTime(session.usedTime) })}`}
          >
            {/iPhone|Android|Mobile/.test(session.agent) ? <Phone20Regular /> : <Desktop20Regular />}
            {session.current ? (
              <StatusChip tone="success">{t('sessions.here')}</StatusChip>
            ) : (
              <Button size="small" onClick={() => void end([session.sessionId])}>
                {t('sessions.end')}
              </Button>
            )}
          </SettingRow>
        ))}
        {known.recent.length > 0 && (
          <>
            <h3>{t('sessions.recent')}</h3>
            <Table
              label={t('sessions.recent')}
              columns={columns}
              rows={known.recent}
              keyOf={({ at, refused }) => `${at} ${refused}`}
            />
          </>
        )}
      </div>
      <footer className="ac-foot">
        <span>
          {t('sessions.notYou')}{' '}
          <Button kind="link" onClick={() => go('password')}>
            {t('password.title')}
          </Button>
        </span>
        <Button disabled={others.length === 0} onClick={() => void end(others)}>
          {t('sessions.endOthers', { n: others.length })}
        </Button>
      </footer>
    </>
  )
}
