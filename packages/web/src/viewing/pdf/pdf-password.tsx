// Asks for the password that a PDF needs to be opened. It stays in the page: the server does not receive it.
import { type ReactNode, useState } from 'react'
import { useT } from '../../core/i18n/i18n.ts'
import { Button } from '../../kit/button.tsx'
import { TextField } from '../../kit/fields.tsx'

interface PdfPasswordProps {
  /** The password that was given before is not the right one. */
  readonly isWrong: boolean
  readonly onPassword: (password: string) => void
}

/** A form in place of the pages. */
export function PdfPassword({ isWrong, onPassword }: PdfPasswordProps): ReactNode {
  const t = useT()
  const [password, setPassword] = useState('')
  return (
    <form
      className="pv-password k-state"
      onSubmit={(event) => {
        event.preventDefault()
        if (password !== '') onPassword(password)
      }}
    >
      <h2>{t('drive.preview.encrypted')}</h2>
      <p>{t('drive.preview.askPassword')}</p>
      <TextField
        label={t('drive.preview.filePassword')}
        type="password"
        autoComplete="off"
        value={password}
        problem={isWrong ? t('drive.preview.wrongPassword') : undefined}
        onChange={({ target }) => setPassword(target.value)}
      />
      <div className="k-state-ways">
        <Button kind="primary" type="submit" disabled={password === ''}>
          {t('drive.preview.openFile')}
        </Button>
      </div>
    </form>
  )
}
