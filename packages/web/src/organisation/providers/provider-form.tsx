// The settings of one sign-in provider.
import type { LdapSettings, OidcSettings, SamlSettings } from '@cloudoc/contract'
import { fullTime } from '@cloudoc/domain'
import { type ReactNode, useId, useState } from 'react'
import { api, CallError } from '../../core/call/api.ts'
import { useT } from '../../core/i18n/i18n.ts'
import { toast } from '../../core/toast/toast.ts'
import { Button } from '../../kit/button.tsx'
import { Checkbox, TextField } from '../../kit/fields.tsx'
import { Select } from '../../kit/select.tsx'
import { type Draft, isMapped, type Provider } from './drafts.ts'
import { NumberedAddress, SecretField } from './form-parts.tsx'
import { MappingRules, type NamedDepartment, type Role } from './mapping-rules.tsx'
import { OAuthFields } from './oauth-form.tsx'
import { ProvisioningFields } from './provisioning-form.tsx'
import { useLatest } from './use-latest.ts'

interface FormProps {
  readonly draft: Draft
  readonly hasSecret: boolean
  readonly returnAddress: string
  readonly provider: Provider | undefined
  readonly roles: readonly Role[]
  readonly departments: readonly NamedDepartment[]
  readonly onChange: (draft: Draft) => void
}

/** A field for several lines. */
function Lines(props: {
  readonly label: string
  readonly help?: string
  readonly value: string
  readonly onChange: (value: string) => void
}): ReactNode {
  const id = useId()
  return (
    <div className="k-field">
      <label htmlFor={id}>{props.label}</label>
      <textarea
        id={id}
        aria-describedby={props.help === undefined ? undefined : `${id}-note`}
        rows={Math.min(6, Math.max(2, props.value.split('\n').length))}
        spellCheck={false}
        value={props.value}
        onChange={({ target }) => props.onChange(target.value)}
      />
      {props.help !== undefined && (
        <p id={`${id}-note`} className="k-help">
          {props.help}
        </p>
      )}
    </div>
  )
}

type LdapText = Exclude<
  { [K in keyof LdapSettings]: LdapSettings[K] extends string ? K : never }[keyof LdapSettings],
  'kind' | 'departments'
>
type OidcText = Exclude<
  { [K in keyof OidcSettings]: OidcSettings[K] extends string ? K : never }[keyof OidcSettings],
  'kind'
>

function LdapFields({
  settings,
  draft,
  hasSecret,
  onChange,
}: Pick<FormProps, 'draft' | 'hasSecret' | 'onChange'> & { readonly settings: LdapSettings }): ReactNode {
  const t = useT()
  const set = (more: Partial<LdapSettings>): void => onChange({ ...draft, settings: { ...settings, ...more } })
  const field = (name: LdapText, help?: string): ReactNode => (
    <TextField
      label={t(`prov.${name}`)}
      value={settings[name]}
      {...(help !== undefined && { help })}
      onChange={({ target }) => set({ [name]: target.value.trim() })}
    />
  )
  return (
    <>
      <Lines
        label={t('prov.urls')}
        help={t('prov.urlsHelp')}
        value={settings.urls.join('\n')}
        onChange={(value) => set({ urls: value === '' ? [] : value.split('\n').map((line) => line.trim()) })}
      />
      <Checkbox
        label={t('prov.startTls')}
        checked={settings.startTls}
        onChange={({ target }) => set({ startTls: target.checked })}
      />
      <Lines
        label={t('prov.certificate')}
        value={settings.certificate}
        onChange={(certificate) => set({ certificate })}
      />
      <div className="pv-pair">
        <TextField
          label={t('prov.bindDn')}
          value={settings.bindDn}
          onChange={({ target }) => set({ bindDn: target.value })}
        />
        <SecretField label={t('prov.secret')} draft={draft} hasSecret={hasSecret} onChange={onChange} />
      </div>
      <TextField label={t('prov.base')} value={settings.base} onChange={({ target }) => set({ base: target.value })} />
      <TextField
        label={t('prov.filter')}
        value={settings.filter}
        onChange={({ target }) => set({ filter: target.value })}
      />
      <h2>{t('prov.mapping')}</h2>
      <div className="pv-pair">
        {field('idAttribute', t('prov.idHelp'))}
        {field('accountAttribute')}
        {field('nameAttribute')}
        {field('mailAttribute')}
        {field('phoneAttribute')}
        {field('titleAttribute')}
        <Select
          label={t('prov.departments')}
          showLabel
          value={settings.departments}
          options={(['none', 'attribute', 'units'] as const).map((value) => ({
            value,
            label: t(`prov.departments.${value}`),
          }))}
          onChange={(departments) => set({ departments })}
        />
        {settings.departments === 'attribute' && field('departmentAttribute')}
        <Select
          label={t('prov.sync')}
          showLabel
          value={settings.syncMinutes}
          options={([0, 60, 360, 1440] as const).map((value) => ({ value, label: t(`prov.sync.${value}`) }))}
          onChange={(syncMinutes) => set({ syncMinutes })}
        />
      </div>
      <p className="k-help">{t('prov.secretLevel')}</p>
    </>
  )
}

function OidcFields({
  settings,
  draft,
  hasSecret,
  returnAddress,
  onChange,
}: Pick<FormProps, 'draft' | 'hasSecret' | 'returnAddress' | 'onChange'> & {
  readonly settings: OidcSettings
}): ReactNode {
  const t = useT()
  const set = (more: Partial<OidcSettings>): void => onChange({ ...draft, settings: { ...settings, ...more } })
  const field = (name: OidcText): ReactNode => (
    <TextField
      label={t(`prov.${name}`)}
      value={settings[name]}
      onChange={({ target }) => set({ [name]: name === 'scope' ? target.value : target.value.trim() })}
    />
  )
  return (
    <>
      {field('issuer')}
      <div className="pv-pair">
        {field('clientId')}
        <SecretField label={t('prov.clientSecret')} draft={draft} hasSecret={hasSecret} onChange={onChange} />
        {field('scope')}
      </div>
      <NumberedAddress label={t('prov.return')} draft={draft} address={returnAddress} />
      <NumberedAddress
        label={t('prov.logout')}
        draft={draft}
        address={`${new URL(returnAddress).origin}/services2/provider/backchannelLogout/`}
      />
      <h2>{t('prov.mapping')}</h2>
      <p className="k-help">{t('ssoMapping.claimsHelp')}</p>
      <div className="pv-pair">
        {field('accountClaim')}
        {field('nameClaim')}
        {field('mailClaim')}
        {field('phoneClaim')}
        {field('titleClaim')}
        {field('groupsClaim')}
        {field('departmentClaim')}
      </div>
    </>
  )
}

type SamlText = Exclude<
  { [K in keyof SamlSettings]: SamlSettings[K] extends string ? K : never }[keyof SamlSettings],
  'kind' | 'certificates' | 'metadataUrl'
>

const dayMs = 24 * 60 * 60_000
const warnedMs = 30 * dayMs

function SamlFields({
  settings,
  draft,
  returnAddress,
  provider,
  onChange,
}: Pick<FormProps, 'draft' | 'returnAddress' | 'provider' | 'onChange'> & {
  readonly settings: SamlSettings
}): ReactNode {
  const t = useT()
  const set = (more: Partial<SamlSettings>): void => onChange({ ...draft, settings: { ...settings, ...more } })
  const latest = useLatest(draft)
  const [now] = useState(Date.now)
  const [problem, setProblem] = useState<string>()
  const field = (name: SamlText, help?: string): ReactNode => (
    <TextField
      label={t(`prov.saml.${name}`)}
      value={settings[name]}
      {...(help !== undefined && { help })}
      onChange={({ target }) => set({ [name]: target.value.trim() })}
    />
  )
  const { origin } = new URL(returnAddress)
  const read = async (): Promise<void> => {
    try {
      const read = await api.readSamlMetadata({ address: settings.metadataUrl }, { quiet: true })
      const typed = latest.current
      if (typed.settings.kind === 'saml') onChange({ ...typed, settings: { ...typed.settings, ...read } })
      setProblem(undefined)
      toast({ kind: 'success', text: t('prov.saml.read') })
    } catch (error) {
      if (!(error instanceof CallError)) throw error
      setProblem(error.message)
    }
  }
  return (
    <>
      <div className="pv-address">
        <TextField
          label={t('prov.saml.metadataUrl')}
          help={t('prov.saml.metadataHelp')}
          problem={problem}
          value={settings.metadataUrl ?? ''}
          onChange={({ target }) => set({ metadataUrl: target.value.trim() })}
        />
        <Button disabled={!/^https?:\/\/\S/.test(settings.metadataUrl ?? '')} onClick={() => void read()}>
          {t('prov.saml.readNow')}
        </Button>
      </div>
      {field('issuer')}
      {field('entryPoint')}
      <Lines
        label={t('prov.saml.certificates')}
        help={t('prov.saml.certificatesHelp')}
        value={settings.certificates}
        onChange={(certificates) => set({ certificates })}
      />
      {provider !== undefined && provider.certificateEnd > 0 && (
        <p className={provider.certificateEnd - now < warnedMs ? 'pv-warning' : 'k-help'}>
          {t(provider.certificateEnd < now ? 'ssoMapping.certificateOver' : 'ssoMapping.certificateEnd', {
            day: fullTime(provider.certificateEnd).slice(0, 10),
          })}
        </p>
      )}
      <NumberedAddress label={t('prov.saml.entityId')} draft={draft} address={`${origin}/saml/`} />
      <NumberedAddress
        label={t('prov.saml.answer')}
        draft={draft}
        address={`${origin}/services2/provider/samlAnswer/`}
      />
      <h2>{t('prov.mapping')}</h2>
      <p className="k-help">{t('prov.saml.mappingHelp')}</p>
      <div className="pv-pair">
        {field('idAttribute', t('ssoMapping.idHelp'))}
        {field('accountAttribute')}
        {field('nameAttribute')}
        {field('mailAttribute')}
        {field('phoneAttribute')}
        {field('titleAttribute')}
        {field('groupsAttribute')}
        {field('departmentAttribute')}
      </div>
    </>
  )
}

/** The fields of a provider, by its kind. */
export function ProviderForm(props: FormProps): ReactNode {
  const { draft, onChange } = props
  const t = useT()
  const { settings } = draft
  return (
    <>
      <TextField
        label={t(settings.kind === 'scim' ? 'scim.name' : 'prov.name')}
        maxLength={60}
        value={draft.name}
        onChange={({ target }) => onChange({ ...draft, name: target.value })}
      />
      <Checkbox
        label={t('prov.enabled')}
        checked={draft.enabled}
        onChange={({ target }) => onChange({ ...draft, enabled: target.checked })}
      />
      {settings.kind === 'ldap' ? (
        <LdapFields {...props} settings={settings} />
      ) : settings.kind === 'oidc' ? (
        <OidcFields {...props} settings={settings} />
      ) : settings.kind === 'oauth' ? (
        <OAuthFields {...props} settings={settings} />
      ) : settings.kind === 'scim' ? (
        <ProvisioningFields {...props} settings={settings} />
      ) : (
        <SamlFields {...props} settings={settings} />
      )}
      {isMapped(settings) && (
        <>
          <Checkbox
            label={t('prov.trustsFactor')}
            checked={settings.trustsFactor}
            onChange={({ target }) => onChange({ ...draft, settings: { ...settings, trustsFactor: target.checked } })}
          />
          <Lines
            label={t('prov.domains')}
            help={t('prov.domainsHelp')}
            value={settings.domains.join('\n')}
            onChange={(value) => {
              const domains = value === '' ? [] : value.split('\n').map((line) => line.trim())
              onChange({ ...draft, settings: { ...settings, domains } })
            }}
          />
        </>
      )}
      {settings.kind !== 'scim' && (
        <>
          <MappingRules
            settings={settings}
            providerId={draft.providerId}
            roles={props.roles}
            departments={props.departments}
            onChange={(more) => onChange({ ...draft, settings: { ...settings, ...more } })}
          />
          <Checkbox
            label={t('prov.creates')}
            checked={settings.creates}
            onChange={({ target }) => onChange({ ...draft, settings: { ...settings, creates: target.checked } })}
          />
        </>
      )}
    </>
  )
}
