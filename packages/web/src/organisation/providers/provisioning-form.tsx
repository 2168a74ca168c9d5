// The settings of a provisioning system: whose token it uses, where people are placed, and how they sign in.
import type { ScimSettings } from '@cloudoc/contract'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { api, CallError } from '../../core/call/api.ts'
import { queryClient } from '../../core/call/query.ts'
import { useT } from '../../core/i18n/i18n.ts'
import { copyText } from '../../core/page/copy-text.ts'
import { toast } from '../../core/toast/toast.ts'
import { Button } from '../../kit/button.tsx'
import { Checkbox, TextField } from '../../kit/fields.tsx'
import { Copy16Regular } from '../../kit/icons.ts'
import { Select } from '../../kit/select.tsx'
import { type Draft, isMapped, type Provider } from './drafts.ts'
import { providersKey } from './provider-side.tsx'
import { useLatest } from './use-latest.ts'
import './provisioning-texts.ts'

const servicesKey = ['admin', 'programs'] as const
const usualAccount = 'svc-scim'

export function ProvisioningFields(props: {
  readonly settings: ScimSettings
  readonly draft: Draft
  readonly returnAddress: string
  readonly onChange: (draft: Draft) => void
}): ReactNode {
  const t = useT()
  const { settings, draft, returnAddress, onChange } = props
  const latest = useLatest(draft)
  const { data: services } = useQuery({ queryKey: servicesKey, queryFn: () => api.getPrograms({}) })
  const { data: known } = useQuery({ queryKey: providersKey, queryFn: () => api.getProviders({}) })
  const [problem, setProblem] = useState<string>()
  const set = (more: Partial<ScimSettings>): void => onChange({ ...draft, settings: { ...settings, ...more } })
  const address = `${new URL(returnAddress).origin}/scim/v2`
  const accounts = services?.accounts ?? []
  const signIns = (known?.list ?? []).filter((provider: Provider) => isMapped(provider.settings))
  const makeService = async (): Promise<void> => {
    try {
      const { userId } = await api.createServiceAccount(
        { account: usualAccount, accountName: t('scim.serviceName') },
        { quiet: true },
      )
      await queryClient.invalidateQueries({ queryKey: servicesKey })
      const now = latest.current
      if (now.settings.kind === 'scim') onChange({ ...now, settings: { ...now.settings, serviceAccountId: userId } })
    } catch (error) {
      if (!(error instanceof CallError)) throw error
      setProblem(error.message)
    }
  }
  return (
    <>
      <div className="pv-address">
        <TextField label={t('scim.address')} help={t('scim.addressHelp')} readOnly value={address} />
        <Button
          icon={<Copy16Regular />}
          onClick={() => void copyText(address).then(() => toast({ kind: 'success', text: t('scim.copied') }))}
        >
          {t('scim.copy')}
        </Button>
      </div>
      <Select
        label={t('scim.service')}
        showLabel
        value={settings.serviceAccountId}
        options={[
          ...(settings.serviceAccountId === 0 ? [{ value: 0, label: t('scim.choose') }] : []),
          ...accounts.map(({ userId, account, accountName }) => ({ value: userId, label: account, note: accountName })),
        ]}
        onChange={(serviceAccountId) => set({ serviceAccountId })}
      />
      {services !== undefined && !accounts.some(({ account }) => account === usualAccount) && (
        <div>
          <Button size="small" onClick={() => void makeService()}>
            {t('scim.makeService', { account: usualAccount })}
          </Button>
        </div>
      )}
      {problem !== undefined && (
        <p className="k-problem" role="alert">
          {problem}
        </p>
      )}
      <p className="k-help">{t('scim.serviceHelp')}</p>
      <Checkbox
        label={t('scim.departments')}
        checked={settings.departments}
        onChange={({ target }) => set({ departments: target.checked })}
      />
      <Checkbox
        label={t('scim.creates')}
        checked={settings.creates}
        onChange={({ target }) => set({ creates: target.checked })}
      />
      <div className={settings.signInProviderId === 0 ? undefined : 'pv-pair'}>
        <Select
          label={t('scim.signIn')}
          showLabel
          value={settings.signInProviderId}
          options={[
            { value: 0, label: t('scim.signInNone') },
            ...signIns.map(({ providerId, name }) => ({ value: providerId, label: name })),
          ]}
          onChange={(signInProviderId) => set({ signInProviderId })}
        />
        {settings.signInProviderId !== 0 && (
          <Select
            label={t('scim.signInBy')}
            showLabel
            value={settings.signInBy}
            options={(['externalId', 'userName'] as const).map((value) => ({ value, label: value }))}
            onChange={(signInBy) => set({ signInBy })}
          />
        )}
      </div>
      {settings.signInProviderId !== 0 && <p className="k-help">{t('scim.signInHelp')}</p>}
    </>
  )
}
