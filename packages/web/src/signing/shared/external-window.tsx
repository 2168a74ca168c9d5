// A signer without an account: how they are called, and where they are reached.
import { type ReactNode, useState } from 'react'
import { useT } from '../../core/i18n/i18n.ts'
import type { WindowProps } from '../../core/windows/index.ts'
import { Button } from '../../kit/button.tsx'
import { DialogFooter } from '../../kit/dialog.tsx'
import { TextField } from '../../kit/fields.tsx'
import './external-window.css'

/** Somebody without an account. */
export interface ExternalPerson {
  readonly name: string
  readonly mail: string
  readonly phone: string
}

export interface SignExternalProps {
  /** Who it is so far. */
  readonly person?: ExternalPerson
  /** Addresses of other signers. */
  readonly taken: readonly string[]
}

const looksLikeMail = /^[^\s@<>"(),:;\\]+@[^\s@<>"(),:;\\]+$/

export function SignExternal({
  person,
  taken,
  close,
  setDirty,
}: WindowProps<SignExternalProps, ExternalPerson>): ReactNode {
  const t = useT()
  const [name, setName] = useState(person?.name ?? '')
  const [mail, setMail] = useState(person?.mail ?? '')
  const [phone, setPhone] = useState(person?.phone ?? '')
  const [isChecked, setChecked] = useState(false)
  const isMail = looksLikeMail.test(mail.trim())
  const isTaken = taken.includes(mail.trim().toLowerCase())
  const save = (): void => {
    setChecked(true)
    if (name.trim() === '' || !isMail || isTaken) return
    setDirty(false)
    close({ name: name.trim(), mail: mail.trim().toLowerCase(), phone: phone.trim() })
  }
  return (
    <form
      className="sg-outside"
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        save()
      }}
    >
      <div className="sg-outside-body">
        <TextField
          label={t('sign.outside.name')}
          value={name}
          maxLength={60}
          required
          autoFocus
          problem={isChecked && name.trim() === '' ? t('sign.outside.nameNeeded') : undefined}
          onChange={({ target }) => {
            setName(target.value)
            setDirty(true)
          }}
        />
        <TextField
          label={t('sign.outside.mail')}
          value={mail}
          type="email"
          maxLength={254}
          required
          problem={
            isChecked && !isMail
              ? t('sign.outside.badMail')
              : isChecked && isTaken
                ? t('sign.outside.twice')
                : undefined
          }
          onChange={({ target }) => {
            setMail(target.value)
            setDirty(true)
          }}
        />
        <TextField
          label={t('sign.outside.phone')}
          value={phone}
          type="tel"
          maxLength={32}
          onChange={({ target }) => {
            setPhone(target.value)
            setDirty(true)
          }}
        />
        <p>{t('sign.outside.phoneNote')}</p>
        <p>{t('sign.outside.note')}</p>
      </div>
      <DialogFooter>
        <Button onClick={() => close()}>{t('sign.cancel')}</Button>
        <Button kind="primary" type="submit">
          {t('sign.outside.save')}
        </Button>
      </DialogFooter>
    </form>
  )
}
