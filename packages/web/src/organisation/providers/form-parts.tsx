// Fields that several kinds of providers have.

import { type ReactNode, useId } from 'react'
import { useT } from '../../core/i18n/i18n.ts'
import { copyText } from '../../core/page/copy-text.ts'
import { toast } from '../../core/toast/toast.ts'
import { Button } from '../../kit/button.tsx'
import { TextField } from '../../kit/fields.tsx'
import { Copy16Regular } from '../../kit/icons.ts'
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

/** An address of this server that is to be entered at a provider: shown whole, and copied by a button. */
export function OwnAddress({ label, address }: { readonly label: string; readonly address: string }): ReactNode {
  const t = useT()
  const id = useId()
  return (
    <div className="k-field">
      <label htmlFor={id}>{label}</label>
      <div className="pv-own">
        <output id={id}>{address}</output>
        <Button
          size="small"
          icon={<Copy16Regular />}
          onClick={() => void copyText(address).then(() => toast({ kind: 'success', text: t('scim.copied') }))}
        >
          {t('scim.copy')}
        </Button>
      </div>
    </div>
  )
}

/** An address with the number of the provider, which is known once it is stored. */
export function NumberedAddress({
  label,
  draft,
  address,
}: {
  readonly label: string
  readonly draft: Draft
  /** The address up to the number. */
  readonly address: string
}): ReactNode {
  const t = useT()
  return draft.providerId === 0 ? (
    <TextField label={label} readOnly value={t('prov.returnNew')} />
  ) : (
    <OwnAddress label={label} address={`${address}${draft.providerId}`} />
  )
}
