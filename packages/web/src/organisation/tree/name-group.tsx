import { type ReactNode, type SyntheticEvent, useState } from 'react'
import { api, CallError } from '../../core/call/api.ts'
import { useT } from '../../core/i18n/i18n.ts'
import type { WindowProps } from '../../core/windows/index.ts'
import { Button } from '../../kit/button.tsx'
import { DialogBody, DialogFooter } from '../../kit/dialog.tsx'
import { TextField } from '../../kit/fields.tsx'

export interface NameGroupProps {
  readonly title: string
  readonly name: string
  readonly of: NamedObject
}

/** A department or role that is created or renamed. */
export type NamedObject =
  | { readonly kind: 'newDepartment'; readonly parentId: number }
  | { readonly kind: 'department'; readonly groupId: number }
  | { readonly kind: 'newRole' }
  | { readonly kind: 'role'; readonly roleId: number }

/** The saved name, and the id of a created role. */
export interface NameGroupResult {
  readonly name: string
  readonly roleId: number
}

/** Saves the name. Returns the id of a role; 0 for a department. */
async function save(of: NamedObject, name: string): Promise<number> {
  switch (of.kind) {
    case 'newRole':
      return (await api.createRole({ roleName: name })).roleId
    case 'role':
      await api.renameRole({ roleId: of.roleId, roleName: name })
      return of.roleId
    case 'newDepartment':
      await api.createGroup({ groupName: name, parentId: of.parentId })
      return 0
    case 'department':
      await api.renameGroup({ groupId: of.groupId, groupName: name })
      return 0
  }
}

/** Asks for the name of a department or role and saves it. Returns it once it is saved. */
export function NameGroup({
  name: before,
  of,
  close,
  setDirty,
}: WindowProps<NameGroupProps, NameGroupResult>): ReactNode {
  const t = useT()
  const [name, setName] = useState(before)
  const [problem, setProblem] = useState<string>()
  const [busy, setBusy] = useState(false)
  const submit = async (event: SyntheticEvent): Promise<void> => {
    event.preventDefault()
    if (busy || name.trim() === '') return
    setBusy(true)
    try {
      const saved = name.trim()
      const roleId = await save(of, saved)
      close({ name: saved, roleId })
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
