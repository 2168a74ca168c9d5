// Fields that several kinds of providers have.
import type { ReactNode } from 'react'
import { useT } from '../../core/i18n/i18n.ts'
import { TextField } from '../../kit/fields.tsx'
import type { Draft } from './drafts.ts'

/** The secret of the client. A stored one is not shown: what is typed replaces it. */
export function SecretField(props: {
  readonly label: string
  readonly draft: Draft
  readonly hasSecret: boolean
  readonly onChange: (draft: Draft) => void
}): ReactNode {
  const t = useT()
  const { label, draft, hasSecret, onChange } = props
  return (
    <TextField
      label={label}
      type="password"
      autoComplete="new-password"
      placeholder={hasSecret ? t('prov.secretKept') : undefined}
      value={draft.secret}
      onChange={({ target }) => onChange({ ...draft, secret: target.value })}
    />
  )
}

/** The address that people come back to, to be entered at the provider. It is known once the provider is stored. */
export function ReturnAddress({
  draft,
  returnAddress,
}: {
  readonly draft: Draft
  readonly returnAddress: string
}): ReactNode {
  const t = useT()
  return (
    <TextField
      label={t('prov.return')}
      readOnly
      value={draft.providerId === 0 ? t('prov.returnNew') : `${returnAddress}${draft.providerId}`}
    />
  )
}
