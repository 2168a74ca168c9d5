// The other ways to sign in, below the form of the login page.

import type { Answer, calls } from '@cloudoc/contract'
import { type ReactNode, useEffect, useState } from 'react'
import { useNavigate, useSearchParams } from 'react-router'
import { api, CallError } from '../../core/call/api.ts'
import { useT } from '../../core/i18n/i18n.ts'
import { hasPasskeys } from '../../core/page/passkeys.ts'
import { Button } from '../../kit/button.tsx'
import {
  Building20Regular,
  Desktop20Regular,
  Key20Regular,
  Phone20Regular,
  QrCode20Regular,
  Sparkle20Regular,
} from '../../kit/icons.ts'
import { enterByPasskey } from './passkey-login.ts'
import { phoneTrailPath, qrLoginPath, smsLoginPath } from './paths.ts'
import { enterByProgram } from './quick-login.ts'
import './texts.ts'
import './ways.css'

type Ways = Answer<typeof calls.getSignInWays>

/** A page on the home screen of an iPhone or iPad: providers lead back to the browser, which shares nothing with it. */
const isOnHomeScreen = (): boolean => (navigator as { readonly standalone?: boolean }).standalone === true

/** Buttons for what the company offers; nothing where there is nothing else. */
export function OtherWays({
  account,
  onRefused,
}: {
  /** What is typed as the account: a mail address tells which provider is meant. */
  readonly account: string
  readonly onRefused: (message: string) => void
}): ReactNode {
  const t = useT()
  const navigate = useNavigate()
  const [query] = useSearchParams()
  const redirect = query.get('redirect') ?? ''
  const [ways, setWays] = useState<Ways>()
  useEffect(() => {
    api.getSignInWays({}, { quiet: true }).then(setWays, () => undefined)
  }, [])
  // A directory has no button: its account and password are typed in the form.
  const providers = ways?.providers.filter(({ kind }) => kind !== 'ldap') ?? []
  const hasKeys = ways?.passkeys === true && hasPasskeys()
  if (ways === undefined || !(hasKeys || ways.quick || ways.qr || ways.sms || ways.trial || providers.length > 0))
    return null
  const domain = account.normalize('NFKC').trim().toLowerCase().split('@')[1] ?? ''
  const meant = providers.find(({ domains }) => domain !== '' && domains.includes(domain))
  const go = async (providerId: number, name: string): Promise<void> => {
    if (isOnHomeScreen() && ways.qr)
      return void navigate(`${qrLoginPath}?${new URLSearchParams({ app: name, redirect })}`)
    try {
      location.assign((await api.startProviderSignIn({ providerId, redirect }, { quiet: true })).address)
    } catch (error) {
      if (!(error instanceof CallError)) throw error
      onRefused(error.message)
    }
  }
  const byPasskey = async (): Promise<void> => {
    try {
      await enterByPasskey(redirect)
    } catch (error) {
      if (!(error instanceof CallError)) throw error
      onRefused(error.message)
    }
  }
  const byProgram = async (): Promise<void> => {
    try {
      const missing = await enterByProgram(redirect)
      if (missing !== undefined) onRefused(t(`ways.quick.${missing}`))
    } catch (error) {
      if (!(error instanceof CallError)) throw error
      onRefused(error.message)
    }
  }
  const page = (path: string): void =>
    void navigate(redirect === '' ? path : `${path}?${new URLSearchParams({ redirect })}`)
  return (
    <div className="ways-other">
      <p>{meant === undefined ? t('ways.other') : t('ways.domain', { domain })}</p>
      <div>
        {(meant === undefined ? providers : [meant]).map(({ providerId, name }) => (
          <Button
            key={providerId}
            className="is-provider"
            icon={<Building20Regular />}
            onClick={() => void go(providerId, name)}
          >
            {name}
          </Button>
        ))}
        {hasKeys && (
          <Button icon={<Key20Regular />} onClick={() => void byPasskey()}>
            {t('ways.passkey')}
          </Button>
        )}
        {ways.quick && (
          <Button icon={<Desktop20Regular />} onClick={() => void byProgram()}>
            {t('ways.quick')}
          </Button>
        )}
        {ways.qr && (
          <Button icon={<QrCode20Regular />} onClick={() => page(qrLoginPath)}>
            {t('ways.qr')}
          </Button>
        )}
        {ways.sms && (
          <Button icon={<Phone20Regular />} onClick={() => page(smsLoginPath)}>
            {t('ways.sms')}
          </Button>
        )}
        {ways.trial && (
          <Button icon={<Sparkle20Regular />} onClick={() => page(phoneTrailPath)}>
            {t('ways.trial')}
          </Button>
        )}
      </div>
    </div>
  )
}
