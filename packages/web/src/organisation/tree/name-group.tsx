import { type ReactNode, type SyntheticEvent, useState } from 'react'
import { CallError } from '../../core/call/api.ts'
import { useT } from '../../core/i18n/i18n.ts'
import type { WindowProps } from '../../core/windows/index.ts'
import { Button } from '../../kit/button.tsx'
import { DialogBody, DialogFooter } from '../../kit/dialog.tsx'
import { TextField } from '../../kit/fields.tsx'

export interface NameGroupProps {
  readonly title: string
  readonly name: string
  /** Rejects with the error shown below the field. */
  readonly save: (name: string) => Promise<unknown>
}

/** Asks for the name of a department or role. Returns it once it is saved. */
export function NameGroup({ name: before, save, close, setDirty }: WindowProps<NameGroupProps, string>): ReactNode {
  const t = useT()
  const [name, setName] = useState(before)
  const [problem, setProblem] = useState<string>()
  const [busy, setBusy] = useState(false)
  const submit = async (event: SyntheticEvent): Promise<void> => {
    event.preventDefault()
    if (busy || name.trim() === '') return
    setBusy(true)
    try {
      await save(name.trim())
      close(name.trim())
    } catch (error) {
      if (!(error instanceof CallError)) throw error
      setProblem(error.code === 'alreadyExists' ? t('org.group.taken') : error.message)
    } finally {
      setBusy(false)
    }
  }
  return (
    <form onSubmit={(event) => void submit(event)}>
      <DialogBody>
        <TextField
          label={t('org.name')}
          autoFocus
          maxLength={64}
          value={name}
          problem={problem}
          onFocus={(event) => event.target.select()}
          onChange={({ target }) => {
            setName(target.value)
            setProblem(undefined)
            setDirty(target.value !== before)
          }}
        />
      </DialogBody>
      <DialogFooter>
        <Button onClick={() => close()}>{t('box.cancel')}</Button>
        <Button kind="primary" type="submit" disabled={busy || name.trim() === ''}>
          {t('org.save')}
        </Button>
      </DialogFooter>
    </form>
  )
}
