// Names the servers that are missing from a list of several servers ([R344], [R345]).

import type { ReactNode } from 'react'
import type { FailureCode } from '../../core/call/api.ts'
import { type PlainTextKey, type Translate, useT } from '../../core/i18n/i18n.ts'
import type { Missing } from '../../core/session/fan-out.ts'
import { PlugDisconnected20Regular } from '../../kit/icons.ts'
import './missing-servers.css'

const reasons: Partial<Record<FailureCode, PlainTextKey>> = {
  interconnectedServerInvalid: 'linked.reason.invalid',
  interconnectedServerMissing: 'linked.reason.missing',
  interconnectedServerNotResponding: 'linked.reason.notResponding',
  interconnectedServerFaulty: 'linked.reason.faulty',
  timeout: 'linked.reason.notResponding',
}

/** Why servers are missing, in words; of several the reason that they share. */
export function missingReason(missing: readonly Missing[], t: Translate): string {
  const [reason, ...others] = new Set(missing.map(({ code }) => reasons[code] ?? 'linked.reason.refused'))
  return t(reason === undefined || others.length > 0 ? 'linked.reason.refused' : reason)
}

export const namesOf = (missing: readonly Missing[], t: Translate): string =>
  missing.map(({ serverName }) => serverName).join(t('linked.between'))

/** Names the servers that are missing from results, in a list without a button to try again. */
export function MissingHits({ missing }: { readonly missing: readonly Missing[] }): ReactNode {
  const t = useT()
  if (missing.length === 0) return null
  return (
    <p className="dr-missing is-plain" role="status">
      <PlugDisconnected20Regular />
      <span>{t('linked.missing', { names: namesOf(missing, t), reason: missingReason(missing, t) })}</span>
    </p>
  )
}
