// What the rules of a provider would change, and whose changes wait for an administrator.
import { type ReactNode, useState } from 'react'
import { api, CallError } from '../../core/call/api.ts'
import { useT } from '../../core/i18n/i18n.ts'
import { toast } from '../../core/toast/toast.ts'
import { Button } from '../../kit/button.tsx'
import { type Change, type Draft, isMapped, type Preview, type Provider } from './drafts.ts'
import { areWhole, useMapping } from './mapping-rules.tsx'
import { refetchProviders } from './provider-side.tsx'
import './mapping-texts.ts'

const mostListed = 100

/** What changes for each person. */
function ChangeList({ changes }: { readonly changes: readonly Change[] }): ReactNode {
  const t = useT()
  return (
    <ul className="pv-changes">
      {changes.slice(0, mostListed).map(({ userId, account, accountName, fields, gains, loses, department }) => (
        <li key={userId}>
          {accountName} <small>{account}</small>
          {fields.map(({ field, from, to }) => (
            <small key={field}>
              {t(`ssoMapping.field.${field}`)}: {from || '—'} → {to}
            </small>
          ))}
          {gains.length > 0 && <small>{t('ssoMapping.gains', { roles: gains.join(t('ssoMapping.comma')) })}</small>}
          {loses.length > 0 && (
            <small className="is-due">{t('ssoMapping.loses', { roles: loses.join(t('ssoMapping.comma')) })}</small>
          )}
          {department.from !== department.to && (
            <small>
              {t('ssoMapping.moves', {
                from: department.from || t('ssoMapping.company'),
                to: department.to || t('ssoMapping.company'),
              })}
            </small>
          )}
        </li>
      ))}
    </ul>
  )
}

const figures = ['known', 'changed', 'gain', 'lose', 'move', 'unknown'] as const

/** The preview of the rules as they are typed. */
export function MappingPreview({ draft, provider }: { readonly draft: Draft; readonly provider: Provider }): ReactNode {
  const t = useT()
  const [preview, setPreview] = useState<Preview>()
  const [problem, setProblem] = useState<string>()
  const [busy, setBusy] = useState(false)
  const { settings } = draft
  if (!isMapped(settings)) return null
  const show = async (): Promise<void> => {
    setBusy(true)
    try {
      setPreview(await api.previewMapping({ providerId: provider.providerId, settings }, { quiet: true }))
      setProblem(undefined)
    } catch (error) {
      if (!(error instanceof CallError)) throw error
      setProblem(error.message)
    } finally {
      setBusy(false)
    }
  }
  return (
    <>
      <h2>{t('ssoMapping.preview')}</h2>
      <p className="k-help">{t('ssoMapping.previewHelp')}</p>
      <Button disabled={busy || !areWhole(settings)} onClick={() => void show()}>
        {t('ssoMapping.show')}
      </Button>
      {problem !== undefined && (
        <p className="k-problem" role="alert">
          {problem}
        </p>
      )}
      {preview !== undefined && (
        <div role="status" className="pv-preview">
          <dl>
            <dt>{t('ssoMapping.n.people')}</dt>
            <dd>{preview.people}</dd>
            {figures.map((figure) => (
              <div key={figure} style={{ display: 'contents' }}>
                <dt>{t(`ssoMapping.n.${figure}`)}</dt>
                <dd>{preview[figure]}</dd>
              </div>
            ))}
          </dl>
          {preview.known === 0 ? (
            <p>{t('ssoMapping.nobody')}</p>
          ) : preview.changed === 0 ? (
            <p>{t('ssoMapping.nothing')}</p>
          ) : (
            <ChangeList changes={preview.changes} />
          )}
        </div>
      )}
    </>
  )
}

/** People whose roles or department would change, more than usual: an administrator decides. */
export function WaitingChanges({ provider }: { readonly provider: Provider }): ReactNode {
  const t = useT()
  const { providerId } = provider
  const { data } = useMapping(providerId, true)
  if (data === undefined || data.waitingTotal === 0) return null
  const { waiting, waitingTotal } = data
  const decide = async (apply: boolean): Promise<void> => {
    const done = await api.decideMappingChanges({ providerId, apply, total: waitingTotal })
    const text = apply ? t('ssoMapping.changed', { n: done.changed }) : t('ssoMapping.kept', { n: done.kept })
    toast({ kind: 'success', text })
    await refetchProviders()
  }
  return (
    <section className="pv-waiting" role="alert">
      <h2>{t('ssoMapping.waiting', { n: waitingTotal })}</h2>
      <p>{t('ssoMapping.waitingMore')}</p>
      <ChangeList changes={waiting} />
      {waitingTotal > mostListed && <p>{t('ssoMapping.andMore', { n: waitingTotal - mostListed })}</p>}
      <footer>
        <Button kind="danger" onClick={() => void decide(true).catch(() => undefined)}>
          {t('ssoMapping.carryOut', { n: waitingTotal })}
        </Button>
        <Button onClick={() => void decide(false).catch(() => undefined)}>{t('ssoMapping.keep')}</Button>
      </footer>
    </section>
  )
}
