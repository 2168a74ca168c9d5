// The settings of a provider of OAuth 2.0 without OpenID Connect. What the presets have filled in is folded.
import type { OAuthSettings } from '@cloudoc/contract'
import { oauthPresets } from '@cloudoc/contract/oauth-presets'
import { type ReactNode, useState } from 'react'
import { useT } from '../../core/i18n/i18n.ts'
import { Checkbox, TextField } from '../../kit/fields.tsx'
import { Select } from '../../kit/select.tsx'
import type { Draft } from './drafts.ts'
import { NumberedAddress, SecretField } from './form-parts.tsx'
import './oauth-texts.ts'

type TextName = Exclude<
  { [K in keyof OAuthSettings]: OAuthSettings[K] extends string ? K : never }[keyof OAuthSettings],
  'kind' | 'scope' | 'appTokenSends' | 'tokenAuth' | 'userTokenIn'
>

export function OAuthFields(props: {
  readonly settings: OAuthSettings
  readonly draft: Draft
  readonly hasSecret: boolean
  readonly returnAddress: string
  readonly onChange: (draft: Draft) => void
}): ReactNode {
  const t = useT()
  const { settings, draft, hasSecret, returnAddress, onChange } = props
  const [isNew] = useState(settings.userUrl === '')
  const isWeCom = settings.authorizeUrl.startsWith(oauthPresets.wecom.authorizeUrl.replace(/\?.*/, ''))
  const set = (more: Partial<OAuthSettings>): void => onChange({ ...draft, settings: { ...settings, ...more } })
  const field = (name: TextName, help?: string): ReactNode => (
    <TextField
      label={t(`oauth.${name}`)}
      value={settings[name]}
      {...(help !== undefined && { help })}
      onChange={({ target }) => set({ [name]: target.value.trim() })}
    />
  )
  return (
    <>
      {field('authorizeUrl', t(isWeCom ? 'oauth.agentHelp' : 'oauth.authorizeHelp'))}
      <div className="pv-pair">
        {field('clientId', t(isWeCom ? 'oauth.corpIdHelp' : 'oauth.clientIdHelp'))}
        <SecretField label={t('oauth.secret')} draft={draft} hasSecret={hasSecret} onChange={onChange} />
      </div>
      {field('tokenUrl', t('oauth.tokenUrlHelp'))}
      {field('userUrl')}
      <TextField
        label={t('prov.scope')}
        value={settings.scope}
        onChange={({ target }) => set({ scope: target.value })}
      />
      <NumberedAddress label={t('prov.return')} draft={draft} address={returnAddress} />
      <Checkbox
        label={t('oauth.pkce')}
        checked={settings.pkce}
        onChange={({ target }) => set({ pkce: target.checked })}
      />
      <h2>{t('oauth.only')}</h2>
      <p className="k-help">{t('oauth.onlyHelp')}</p>
      <div className="pv-pair">
        {field('companyClaim')}
        {field('company')}
      </div>
      <h2>{t('prov.mapping')}</h2>
      <p className="k-help">{t('oauth.pathHelp')}</p>
      <div className="pv-pair">
        {field('idClaim', t('oauth.idHelp'))}
        {field('accountClaim', t('oauth.accountHelp'))}
        {field('nameClaim')}
        {field('mailClaim')}
        {field('phoneClaim')}
        {field('titleClaim')}
        {field('groupsClaim')}
        {field('departmentClaim')}
      </div>
      <details className="pv-details" open={isNew}>
        <summary>{t('oauth.details')}</summary>
        <div className="pv-pair">
          {field('clientIdParam')}
          {field('codeParam')}
          {field('appTokenUrl', t('oauth.appTokenHelp'))}
          <Select
            label={t('oauth.appTokenSends')}
            showLabel
            value={settings.appTokenSends}
            options={(['query', 'json'] as const).map((value) => ({ value, label: t(`oauth.appTokenSends.${value}`) }))}
            onChange={(appTokenSends) => set({ appTokenSends })}
          />
          {field('appIdParam')}
          {field('appSecretParam')}
          {field('appTokenPath')}
          <Select
            label={t('oauth.tokenAuth')}
            showLabel
            value={settings.tokenAuth}
            options={(['post', 'basic', 'json'] as const).map((value) => ({
              value,
              label: t(`oauth.tokenAuth.${value}`),
            }))}
            onChange={(tokenAuth) => set({ tokenAuth })}
          />
          {field('tokenIdParam')}
          {field('tokenSecretParam')}
          {field('tokenGrantParam')}
          {field('tokenPath')}
          <Select
            label={t('oauth.userTokenIn')}
            showLabel
            value={settings.userTokenIn}
            options={(['bearer', 'header', 'query'] as const).map((value) => ({
              value,
              label: t(`oauth.userTokenIn.${value}`),
            }))}
            onChange={(userTokenIn) => set({ userTokenIn })}
          />
          {field('userTokenName')}
          {field('profileUrl', t('oauth.profileHelp'))}
          {field('profileIdParam')}
          {field('errorPath', t('oauth.errorHelp'))}
          {field('errorGood', t('oauth.errorGoodHelp'))}
        </div>
      </details>
    </>
  )
}
