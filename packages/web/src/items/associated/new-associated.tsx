// The window drive-associated ([R248]) asks for the name of a new associated folder. The folder keeps this name.
import { type ReactNode, type SubmitEvent, useId, useState } from 'react'
import { api, CallError, mainServer } from '../../core/call/api.ts'
import { useT } from '../../core/i18n/i18n.ts'
import type { WindowProps } from '../../core/windows/index.ts'
import { Button } from '../../kit/button.tsx'
import { DialogBody, DialogFooter } from '../../kit/dialog.tsx'
import { TextField } from '../../kit/fields.tsx'
import { nameProblem } from '../actions/operations.ts'
import { itemsChanged } from '../lists/lists.ts'

export interface NewAssociatedProps {
  /** The parent folder. */
  readonly folderId: number
}

export function NewAssociated({ folderId, close }: WindowProps<NewAssociatedProps, boolean>): ReactNode {
  const t = useT()
  const id = useId()
  const [name, setName] = useState('')
  const [refused, setRefused] = useState<string>()
  const [busy, setBusy] = useState(false)
  const problem = refused ?? (name === '' ? undefined : nameProblem(name))
  const make = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault()
    if (name.trim() === '' || problem !== undefined) return
    setBusy(true)
    try {
      const made = await api
        .of(mainServer)
        .folderCreate({ parentId: folderId, folderName: name, isAssociateFolder: true })
      itemsChanged([{ ...mainServer, fType: 2, fId: made.folderId }], [folderId])
      close(true)
    } catch (error) {
      setBusy(false)
      setRefused(error instanceof CallError ? error.message : t('drive.failed'))
    }
  }
  return (
    <>
      <DialogBody>
        <form id={id} onSubmit={(event) => void make(event)}>
          <TextField
            label={t('associated.name')}
            help={t('associated.help')}
            problem={problem}
            value={name}
            // The window has no other field.
            autoFocus
            onChange={(event) => {
              setName(event.target.value)
              setRefused(undefined)
            }}
          />
        </form>
      </DialogBody>
      <DialogFooter>
        <Button onClick={() => close()}>{t('drive.cancel')}</Button>
        <Button kind="primary" type="submit" form={id} disabled={busy || name.trim() === '' || problem !== undefined}>
          {t('associated.ok')}
        </Button>
      </DialogFooter>
    </>
  )
}
