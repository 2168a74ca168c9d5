// Beside the settings of a provider: its test, its synchronization with a preview, and who is to be joined.
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { api } from '../../core/call/api.ts'
import { queryClient } from '../../core/call/query.ts'
import { useT } from '../../core/i18n/i18n.ts'
import { toast } from '../../core/toast/toast.ts'
import { Button } from '../../kit/button.tsx'
import { TextField } from '../../kit/fields.tsx'
import type { Provider, Run, Tried } from './drafts.ts'

export const providersKey = ['admin', 'providers'] as const
export const refetchProviders = (): Promise<void> => queryClient.invalidateQueries({ queryKey: providersKey })

/** The steps of a test, and the values of the person that was looked for. */
export function TestPart(props: {
  readonly isLdap: boolean
  readonly tried: Tried | undefined
  readonly onTest: (account: string) => Promise<unknown>
}): ReactNode {
  const t = useT()
  const [account, setAccount] = useState('')
  const [busy, setBusy] = useState(false)
  const test = async (): Promise<void> => {
    setBusy(true)
    await props.onTest(account).finally(() => setBusy(false))
  }
  return (
    <>
      <h2>{t('prov.test')}</h2>
      {props.isLdap && (
        <TextField
          label={t('prov.testAccount')}
          value={account}
          maxLength={200}
          onChange={({ target }) => setAccount(target.value)}
        />
      )}
      <Button disabled={busy} onClick={() => void test()}>
        {t('prov.tryIt')}
      </Button>
      {props.tried !== undefined && (
        <ul role="status">
          {props.tried.steps.map(({ ok, warning, text, detail }) => (
            <li key={text} className={ok ? 'is-ok' : warning ? 'is-warning' : 'is-bad'}>
              {text}
              {detail !== '' && <small>{detail}</small>}
            </li>
          ))}
        </ul>
      )}
      {props.tried !== undefined && props.tried.values.length > 0 && (
        <dl>
          {props.tried.values.map(({ field, value }) => (
            <div key={field} style={{ display: 'contents' }}>
              <dt>{field}</dt>
              <dd>{value === '' ? '—' : value}</dd>
            </div>
          ))}
        </dl>
      )}
    </>
  )
}

const figures = ['created', 'updated', 'frozen', 'moved', 'thawed', 'pending', 'refused', 'unchanged'] as const
const pollMs = 700

/** The last run: its figures, who changes, and what has to be confirmed. */
function RunPart({ run, onConfirm }: { readonly run: Run; readonly onConfirm: () => void }): ReactNode {
  const t = useT()
  if (run.state === 'running') return <p role="status">{t('prov.running')}</p>
  if (run.state === 'failed') return <p role="alert">{t('prov.failedRun', { why: run.problem })}</p>
  return (
    <>
      <h2>{t(run.dry || run.state === 'waiting' ? 'prov.previewOf' : 'prov.resultOf', { n: run.read })}</h2>
      {run.state === 'waiting' && (
        <>
          <p role="alert">{t('prov.waiting', { n: run.frozen, moved: run.moved })}</p>
          <Button kind="danger" onClick={onConfirm}>
            {t('prov.confirm')}
          </Button>
        </>
      )}
      <dl>
        {figures.map((figure) => (
          <div key={figure} style={{ display: 'contents' }}>
            <dt>{t(`prov.n.${figure}`)}</dt>
            <dd>{run[figure]}</dd>
          </div>
        ))}
      </dl>
      <ul>
        {run.changes.slice(0, 100).map(({ what, name, account, detail }) => (
          <li key={`${what}:${account}:${name}`}>
            {name} <small>{[account, t(`prov.what.${what}`), detail].filter((part) => part !== '').join(' · ')}</small>
          </li>
        ))}
      </ul>
    </>
  )
}

/** Synchronizes a directory, or shows what would change. */
export function SyncPart({ provider }: { readonly provider: Provider }): ReactNode {
  const t = useT()
  const { providerId } = provider
  const [runId, setRunId] = useState(provider.lastRun?.runId ?? 0)
  const { data: run } = useQuery({
    queryKey: [...providersKey, 'run', runId],
    queryFn: () => api.getProviderRun({ runId }),
    enabled: runId !== 0,
    refetchInterval: ({ state }) => (state.data?.state === 'running' ? pollMs : false),
  })
  const begin = async (dry: boolean, confirmedRunId = 0): Promise<void> => {
    setRunId((await api.syncProvider({ providerId, dry, confirmedRunId })).runId)
    void refetchProviders()
  }
  const busy = run?.state === 'running'
  return (
    <>
      <h2>{t('prov.sync')}</h2>
      <Button disabled={busy} onClick={() => void begin(true)}>
        {t('prov.preview')}
      </Button>
      <Button kind="primary" disabled={busy} onClick={() => void begin(false)}>
        {t('prov.syncNow')}
      </Button>
      {run !== undefined && <RunPart run={run} onConfirm={() => void begin(false, run.runId)} />}
    </>
  )
}

/** People of the provider whose account name belongs to an account. */
export function JoinPart({ provider }: { readonly provider: Provider }): ReactNode {
  const t = useT()
  const { providerId } = provider
  const { data } = useQuery({
    queryKey: [...providersKey, 'pending', providerId],
    queryFn: () => api.getPendingIdentities({ providerId }),
  })
  if (data === undefined || data.list.length === 0) return null
  const join = async (identityId: number, userId: number): Promise<void> => {
    await api.joinIdentity({ identityId, userId })
    toast({ kind: 'success', text: t('prov.joined') })
    void refetchProviders()
  }
  return (
    <>
      <h2>{t('prov.joins')}</h2>
      <p className="k-help">{t('prov.joinsMore')}</p>
      <ul>
        {data.list.map(({ identityId, label, account, userId, accountName, administers }) => (
          <li key={identityId}>
            {label} <small>{[account, accountName].filter((part) => part !== '').join(' · ')}</small>
            {administers ? (
              <small>{t('prov.admin')}</small>
            ) : (
              <Button size="small" disabled={userId === 0} onClick={() => void join(identityId, userId)}>
                {t('prov.join')}
              </Button>
            )}
          </li>
        ))}
      </ul>
    </>
  )
}
