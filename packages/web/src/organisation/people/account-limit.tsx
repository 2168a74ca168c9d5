import { type ReactNode, type SyntheticEvent, useState } from 'react'
import { useT } from '../../core/i18n/i18n.ts'
import type { WindowProps } from '../../core/windows/index.ts'
import { Button } from '../../kit/button.tsx'
import { DialogBody, DialogFooter } from '../../kit/dialog.tsx'
import { TextField } from '../../kit/fields.tsx'

export interface AccountLimitProps {
  readonly limit: number
  readonly used: number
}

/** Asks for the maximum number of accounts ([R349]). */
export function AccountLimit({ limit, used, close, setDirty }: WindowProps<AccountLimitProps, number>): ReactNode {
  const t = useT()
  const [value, setValue] = useState(limit === 0 ? '' : String(limit))
  const number = Number(value === '' ? 0 : value)
  const isNumber = /^\d{0,9}$/.test(value)
  const tooFew = isNumber && number !== 0 && number < used
  const submit = (event: SyntheticEvent): void => {
    event.preventDefault()
    if (isNumber) close(number)
  }
  return (
    <form onSubmit={submit}>
      <DialogBody>
        <TextField
          label={t('org.limit.label')}
          autoFocus
          inputMode="numeric"
          value={value}
          placeholder={t('org.limit.none')}
          problem={isNumber ? undefined : t('org.limit.digits')}
          help={tooFew ? t('org.limit.few', { n: used }) : t('org.limit.help')}
          onChange={({ target }) => {
            setValue(target.value.trim())
            setDirty(true)
          }}
        />
      </DialogBody>
      <DialogFooter>
        <Button onClick={() => close()}>{t('box.cancel')}</Button>
        <Button kind="primary" type="submit" disabled={!isNumber}>
          {t('org.save')}
        </Button>
      </DialogFooter>
    </form>
  )
}
