// The state of a signing process for the user, as a word in its colour (X15).
import type { SignActivity, SignCertificate } from '@cloudoc/contract'
import { SignState } from '@cloudoc/domain'
import type { ReactNode } from 'react'
import { useT } from '../../core/i18n/i18n.ts'
import { type ChipTone, StatusChip } from '../../kit/chips.tsx'

type OfActivity = Pick<SignActivity, 'state' | 'isTurn' | 'activityState' | 'signedCount' | 'signerCount'>

const tones: Readonly<Record<SignActivity['state'], ChipTone>> = {
  running: 'info',
  signed: 'success',
  archived: 'success',
  rejected: 'danger',
  withdrawn: 'neutral',
  expired: 'neutral',
}

/** The colours of the states of certificates. */
export const stateTones: Readonly<Record<SignCertificate['state'], ChipTone>> = {
  valid: 'success',
  ending: 'warning',
  expired: 'danger',
  revoked: 'danger',
}

export function SignChip({ activity }: { readonly activity: OfActivity }): ReactNode {
  const t = useT()
  const { state, isTurn, activityState, signedCount, signerCount } = activity
  if (isTurn) return <StatusChip tone="info">{t('sign.state.now')}</StatusChip>
  if (state === 'running')
    return activityState === SignState.signed ? (
      <StatusChip tone="success">{t('sign.state.mine')}</StatusChip>
    ) : (
      <StatusChip tone="info">{t('sign.state.running', { n: signedCount, of: signerCount })}</StatusChip>
    )
  return <StatusChip tone={tones[state]}>{t(`sign.state.${state}`)}</StatusChip>
}
