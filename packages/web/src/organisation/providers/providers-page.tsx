// Ways to sign in: the providers of the company, each with its settings, its test and its synchronization.

import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { AdminBody } from '../../admin/frame/admin-body.tsx'
import { LoadFailure } from '../../admin/shared/load-failure.tsx'
import { api, CallError } from '../../core/call/api.ts'
import { useT } from '../../core/i18n/i18n.ts'
import { showMenu } from '../../core/menu/menu.ts'
import { toast } from '../../core/toast/toast.ts'
import { confirmBox } from '../../core/windows/boxes.ts'
import { openWindow } from '../../core/windows/index.ts'
import { Button } from '../../kit/button.tsx'
import { Add16Regular, Delete16Regular } from '../../kit/icons.ts'
import { Spinner } from '../../kit/spinner.tsx'
import { StatePage } from '../../kit/state-page.tsx'
import { useRoles } from '../shared/organisation-queries.ts'
import { type Draft, draftOf, isMapped, newDraft, newOAuthDraft, type Provider, type Tried } from './drafts.ts'
import { areWhole, type NamedDepartment, type Role } from './mapping-rules.tsx'
import { MappingPreview, WaitingChanges } from './mapping-side.tsx'
import { ProviderForm } from './provider-form.tsx'
import { JoinPart, providersKey, refetchProviders, SyncPart, TestPart } from './provider-side.tsx'
import { ProvisioningReceived, ProvisioningToken, WaitingLeavers } from './provisioning-side.tsx'
import './oauth-texts.ts'
import './provisioning-texts.ts'
import './texts.ts'
import './providers.css'

export function ProvidersPage(): ReactNode {
  const t = useT()
  const roles = useRoles()
  const { data, error, refetch } = useQuery({ queryKey: providersKey, queryFn: () => api.getProviders({}) })
  const [draft, setDraft] = useState<Draft>()
  if (error !== null) return <LoadFailure error={error} retry={refetch} />
  if (data === undefined || roles.data === undefined) return <Spinner />
  const roleList = roles.data.list
  const shown = draft ?? (data.list[0] && draftOf(data.list[0]))
  const add = (at: { readonly x: number; readonly y: number }): void =>
    void showMenu(
      [
        { id: 'ldap', label: t('prov.newLdap'), run: () => setDraft(newDraft('ldap')) },
        { id: 'oidc', label: t('prov.newOidc'), run: () => setDraft(newDraft('oidc')) },
        ...(['wecom', 'dingtalk', 'feishu', 'plain'] as const).map((preset) => ({
          id: preset,
          label: t(`oauth.new.${preset}`),
          run: () => setDraft(newOAuthDraft(preset, preset === 'plain' ? '' : t(`oauth.new.${preset}`))),
        })),
        { id: 'saml', label: t('prov.newSaml'), run: () => setDraft(newDraft('saml')) },
        { id: 'scim', label: t('scim.new'), run: () => setDraft(newDraft('scim')) },
      ],
      at,
    )
  const addButton = (
    <Button
      kind="primary"
      icon={<Add16Regular />}
      aria-haspopup="menu"
      onClick={({ currentTarget }) => {
        const { left, bottom } = currentTarget.getBoundingClientRect()
        add({ x: left, y: bottom + 4 })
      }}
    >
      {t('prov.add')}
    </Button>
  )
  return (
    <AdminBody
      title={t('org.providers')}
      note={t('prov.count', { n: data.list.length })}
      actions={
        <>
          <Button onClick={() => void openWindow('organisation-token-key', {})}>{t('prov.token.open')}</Button>
          {shown !== undefined && addButton}
        </>
      }
    >
      {shown === undefined ? (
        <StatePage title={t('prov.none')} text={t('prov.noneMore')}>
          {addButton}
        </StatePage>
      ) : (
        <div className="pv">
          <ProviderList
            list={data.list}
            current={shown.providerId}
            onChoose={(provider) => setDraft(draftOf(provider))}
          />
          <ProviderEditor
            key={shown.providerId || shown.settings.kind}
            draft={shown}
            provider={data.list.find(({ providerId }) => providerId === shown.providerId)}
            returnAddress={data.returnAddress}
            roles={roleList}
            departments={data.departments}
            onChange={setDraft}
            onRemoved={() => setDraft(undefined)}
          />
        </div>
      )}
    </AdminBody>
  )
}

function ProviderList(props: {
  readonly list: readonly Provider[]
  readonly current: number
  readonly onChoose: (provider: Provider) => void
}): ReactNode {
  const t = useT()
  return (
    <ul className="pv-list">
      {props.list.map((provider) => (
        <li key={provider.providerId}>
          <button
            type="button"
            aria-current={provider.providerId === props.current}
            onClick={() => props.onChoose(provider)}
          >
            <strong>{provider.name}</strong>
            <small>
              {provider.settings.kind.toUpperCase()} · {t('prov.people', { n: provider.people })}
            </small>
            {!provider.enabled && <small>{t('prov.off')}</small>}
            {provider.pending > 0 && <small className="is-due">{t('prov.pending', { n: provider.pending })}</small>}
          </button>
        </li>
      ))}
    </ul>
  )
}

function ProviderEditor(props: {
  readonly draft: Draft
  readonly provider: Provider | undefined
  readonly returnAddress: string
  readonly roles: readonly Role[]
  readonly departments: readonly NamedDepartment[]
  readonly onChange: (draft: Draft) => void
  readonly onRemoved: () => void
}): ReactNode {
  const t = useT()
  const { draft, provider, roles } = props
  const { providerId, name, enabled } = draft
  const [tried, setTried] = useState<Tried>()
  const [problem, setProblem] = useState<string>()
  const [busy, setBusy] = useState(false)
  const secret = draft.secret === '' ? {} : { secret: draft.secret }
  const test = async (account: string): Promise<Tried | undefined> => {
    try {
      const answer = await api.testProvider(
        { providerId, settings: draft.settings, account, ...secret },
        { quiet: true },
      )
      setTried(answer)
      return answer
    } catch (error) {
      if (!(error instanceof CallError)) throw error
      setProblem(error.message)
      return undefined
    }
  }
  /** Whom rules that are switched on change, once that is confirmed. Undefined: they are not to be saved. */
  const confirmRules = async (): Promise<number | undefined> => {
    const { settings } = draft
    if (provider === undefined || !isMapped(settings) || !settings.applies) return 0
    if (JSON.stringify(settings) === JSON.stringify(provider.settings)) return 0
    const { changed, gain, lose, move } = await api.previewMapping({ providerId, settings }, { quiet: true })
    if (changed === 0) return 0
    const isSure = await confirmBox({
      title: t('ssoMapping.confirm', { n: changed }),
      text: t('ssoMapping.confirmMore', { gain, lose, move }),
      ok: t('ssoMapping.save'),
    })
    return isSure ? changed : undefined
  }
  /** Saving tests first: a provider that does not work is saved only on purpose. */
  const save = async (): Promise<void> => {
    const { settings } = draft
    if (settings.kind !== 'scim' && !areWhole(settings)) return setProblem(t('ssoMapping.incomplete'))
    setProblem(undefined)
    setBusy(true)
    try {
      const answer = await test('')
      if (answer === undefined) return
      const works = answer.steps.every(({ ok, warning }) => ok || warning)
      const anyway = works || (await confirmBox({ text: t('prov.failedTest'), ok: t('prov.saveAnyway') }))
      if (!anyway) return
      const confirmed = await confirmRules()
      if (confirmed === undefined) return
      const saved = await api.saveProvider(
        { providerId, name, enabled, settings, confirmed, ...secret },
        { quiet: true },
      )
      await refetchProviders()
      props.onChange({ ...draft, settings, providerId: saved.providerId, secret: '' })
      toast({ kind: 'success', text: t('prov.saved', { name }) })
    } catch (error) {
      if (!(error instanceof CallError)) throw error
      setProblem(error.message)
    } finally {
      setBusy(false)
    }
  }
  const remove = async (): Promise<void> => {
    const sure = await confirmBox({
      title: t('prov.removeAsk', { name }),
      text: t('prov.removeMore'),
      ok: t('prov.remove'),
    })
    if (!sure) return
    await api.removeProvider({ providerId })
    await refetchProviders()
    props.onRemoved()
  }
  const isScim = draft.settings.kind === 'scim'
  return (
    <>
      <div className="pv-main">
        {provider !== undefined && isScim && <WaitingLeavers provider={provider} />}
        {provider !== undefined && isMapped(provider.settings) && <WaitingChanges provider={provider} />}
        <form
          className="pv-form"
          noValidate
          onSubmit={(event) => {
            event.preventDefault()
            void save()
          }}
        >
          <ProviderForm
            draft={draft}
            hasSecret={provider?.hasSecret ?? false}
            returnAddress={props.returnAddress}
            provider={provider}
            roles={roles}
            departments={props.departments}
            onChange={props.onChange}
          />
          {problem !== undefined && (
            <p className="k-problem" role="alert">
              {problem}
            </p>
          )}
          <footer>
            <Button
              kind="primary"
              type="submit"
              disabled={
                busy || name.trim() === '' || (draft.settings.kind === 'scim' && draft.settings.serviceAccountId === 0)
              }
            >
              {t('prov.save')}
            </Button>
            {provider !== undefined && (
              <Button icon={<Delete16Regular />} onClick={() => void remove()}>
                {t('prov.remove')}
              </Button>
            )}
          </footer>
        </form>
        {provider !== undefined && isScim && <ProvisioningReceived provider={provider} roles={roles} />}
      </div>
      <aside className="pv-side">
        <TestPart isLdap={draft.settings.kind === 'ldap'} tried={tried} onTest={test} />
        {provider !== undefined && provider.settings.kind === 'ldap' && <SyncPart provider={provider} />}
        {provider !== undefined && isScim && <ProvisioningToken key={provider.providerId} provider={provider} />}
        {provider !== undefined && isMapped(draft.settings) && <MappingPreview draft={draft} provider={provider} />}
        {provider !== undefined && <JoinPart provider={provider} />}
      </aside>
    </>
  )
}
